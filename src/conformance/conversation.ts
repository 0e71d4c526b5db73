/** What a case and its target said to each other, as a report tells it: bounded, and unsigned. */
import type { Method } from '../contract/operation.ts'
import { bodyOf, type ProbeRequest, pathOf } from './probe-request.ts'
import { RIGHT_CREDENTIALS, type SentCredentials } from './samples/shell.ts'
import type { TransportResponse, TransportSocket } from './target-transport.ts'

/** A request and what came of it. Times are since the case began, ms. */
export interface SaidRequest extends SaidAsking {
  kind: 'request'
  method: Method
  body?: string
  /** null when none came. */
  answer: SaidAnswer | null
}

/** A socket and all that was said on it. */
export interface SaidSocket extends SaidAsking {
  kind: 'socket'
  /** What was answered in place of opening it. */
  answer: SaidAnswer | null
  frames: SaidFrame[]
  /** How many frames before these are left out. */
  omitted: number
  /** With which code the target has closed it; null while it was open. */
  closeCode: number | null
}

export type Said = SaidRequest | SaidSocket

interface SaidAsking {
  afterMs: number
  /** In full, without credentials. */
  address: string
  signature: SaidSignature
}

/** By whom and how it was signed; never the signature itself. */
export interface SaidSignature {
  by: string
  in: 'query' | 'body' | 'nowhere'
  /** How old it was made, s. */
  ageS: number
  /** It was made wrong on purpose. */
  isAltered: boolean
  /** What was sent then, where nothing of it is computed. */
  sent?: SentCredentials
}

export interface SaidAnswer extends TransportResponse {
  afterMs: number
}

export interface SaidFrame {
  afterMs: number
  from: 'suite' | 'target'
  text: string
}

/** Told what is said on a socket. */
export interface SocketLog {
  frame(from: SaidFrame['from'], data: string | Uint8Array): void
  /** It is not looked at any more; null when it was open until then. */
  ended(closeCode: number | null): void
}

/** A socket, and where what is said on it is noted. */
export interface OpenedSocket {
  socket: TransportSocket
  log: SocketLog
}

/** What is kept of a case: the latest. */
const [SAID_MAX, FRAMES_MAX] = [30, 200]

/** Characters of a frame that is sent again as it was: longer ones are but filled. */
const SENT_MAX = 100_000

/** Characters that are kept of a text, and more for secrets at its end to be whole. */
export const [TEXT_MAX, SLACK] = [4_000, 500]

export class Conversation {
  readonly said: Said[] = []
  private latestUs = -1

  /** @param elapsedMs since the case began */
  constructor(private readonly elapsedMs: () => number) {}

  /** A request that is about to be made. */
  asks(request: ProbeRequest, base: string): SaidRequest {
    const { method = 'GET' } = request
    const body = bodyOf(request, {})
    const text = body === undefined ? {} : { body }
    const asking = this.asking(request, base)
    return this.kept({ kind: 'request', ...asking, method, ...text, answer: null })
  }

  /** A socket that is about to be opened. */
  opens(request: ProbeRequest, base: string): SaidSocket {
    const nothing = { answer: null, frames: [], omitted: 0, closeCode: null }
    const { address, ...asking } = this.asking(request, base)
    return this.kept({
      kind: 'socket',
      ...asking,
      address: address.replace(/^http/, 'ws'),
      ...nothing,
    })
  }

  answered(said: Said, { status, contentType, retryAfter, text }: TransportResponse): void {
    const again = retryAfter === undefined ? {} : { retryAfter }
    said.answer = { afterMs: this.now(), status, contentType, ...again, text: cut(text) }
  }

  /** Where the frames of a socket are noted, as they are sent and read. */
  logOf(said: SaidSocket): SocketLog {
    return {
      frame: (from, data) => {
        const text = typeof data === 'string' ? data : `(${data.byteLength} bytes)`
        // What was sent is needed whole and to the last to be sent again.
        const kept = from === 'suite' && text.length <= SENT_MAX ? text : cut(text)
        said.frames.push({ afterMs: this.now(), from, text: kept })
        if (said.frames.length <= FRAMES_MAX) return
        const first = said.frames.findIndex((frame) => frame.from === 'target')
        said.omitted += said.frames.splice(Math.max(0, first), 1).length
      },
      ended: (closeCode) => {
        said.closeCode ??= closeCode
      },
    }
  }

  private kept<T extends Said>(said: T): T {
    this.said.push(said)
    if (this.said.length > SAID_MAX) this.said.shift()
    return said
  }

  private asking(request: ProbeRequest, base: string): SaidAsking {
    const { signedBy = 'full', signedIn = 'query', ageS = 0, tamper } = request
    const by = typeof signedBy === 'string' ? signedBy : 'other'
    const sent = tamper === undefined ? null : sentBy(tamper)
    const isAltered = tamper !== undefined
    const signature = { by, in: signedIn, ageS, isAltered, ...(sent === null ? {} : { sent }) }
    return { afterMs: this.now(), address: `${base}${pathOf(request, {})}`, signature }
  }

  /** Later than each before: what was said last is found by it, however fast it was answered. */
  private now(): number {
    this.latestUs = Math.max(Math.round(this.elapsedMs() * 1000), this.latestUs + 1)
    return this.latestUs / 1000
  }
}

function cut(text: string): string {
  const { length } = text
  if (length <= TEXT_MAX + SLACK) return text
  // A part of a text keeps all of it in memory; a copy does not.
  const copy = Buffer.from(text.slice(0, TEXT_MAX + SLACK)).toString()
  return `${copy}… (${length})`
}

/** What is sent in place of right credentials; null where any of it is computed of them. */
function sentBy(tamper: NonNullable<ProbeRequest['tamper']>): SentCredentials | null {
  const made = (end: string): SentCredentials => {
    const right = RIGHT_CREDENTIALS.map(([name, text]) => [name, text + end])
    const key = { accessKey: `$ACCESS_KEY${end}`, secretKey: `$SECRET_KEY${end}` }
    return Object.entries(tamper(Object.fromEntries(right), key))
  }
  const [sent, other] = [made(''), made('_')]
  const variables = new Set(RIGHT_CREDENTIALS.map(([, text]) => text))
  const isKnown = sent.every(([, text], at) => variables.has(text) || text === other[at]?.[1])
  return isKnown ? sent : null
}
