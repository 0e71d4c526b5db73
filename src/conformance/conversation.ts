/** Conversation of a case with its target for a report: bounded, and unsigned. */
import type { Method } from '../contract/operation.ts'
import { bodyOf, type ProbeRequest, pathOf } from './probe-request.ts'
import { RIGHT_CREDENTIALS, type SentCredentials } from './samples/shell.ts'
import type { TransportResponse, TransportSocket } from './target-transport.ts'

/** A request and its response. Times are since the case began, ms. */
export interface SaidRequest extends SaidAsking {
  kind: 'request'
  method: Method
  body?: string
  /** null for none. */
  answer: SaidAnswer | null
}

/** A socket and its frames. */
export interface SaidSocket extends SaidAsking {
  kind: 'socket'
  /** The response in place of an upgrade. */
  answer: SaidAnswer | null
  frames: SaidFrame[]
  /** Number of earlier frames left out. */
  omitted: number
  /** Close code by the target; null while it was open. */
  closeCode: number | null
}

export type Said = SaidRequest | SaidSocket

interface SaidAsking {
  afterMs: number
  /** In full, without credentials. */
  address: string
  signature: SaidSignature
  /** Why the target answered so, as lines; absent where its journal is unknown. */
  reason?: readonly string[]
}

/** Signer and kind of signature; never the signature itself. */
export interface SaidSignature {
  by: string
  in: 'query' | 'body' | 'nowhere'
  /** Age of the signature, s. */
  ageS: number
  /** Whether it was wrong on purpose. */
  isAltered: boolean
  /** Sent credentials, where none is computed from the secret. */
  sent?: SentCredentials
  /** The latest nonce, which finds the request in a journal. */
  nonce?: string
}

export interface SaidAnswer extends TransportResponse {
  afterMs: number
}

export interface SaidFrame {
  afterMs: number
  from: 'suite' | 'target'
  text: string
}

/** Receives the frames of a socket. */
export interface SocketLog {
  frame(from: SaidFrame['from'], data: string | Uint8Array): void
  /** Ends the log; null when it was still open. */
  ended(closeCode: number | null): void
}

/** A socket and its log. */
export interface OpenedSocket {
  socket: TransportSocket
  log: SocketLog
}

/** Maximum number of requests and frames kept: the latest. */
const [SAID_MAX, FRAMES_MAX] = [30, 200]

/** Maximum characters of a frame kept for a replay: longer ones are only padding. */
const SENT_MAX = 100_000

/** Maximum characters of a kept text, and extra ones so that secrets at its end are whole. */
export const [TEXT_MAX, SLACK] = [4_000, 500]

export class Conversation {
  readonly said: Said[] = []
  private latestUs = -1

  /** @param elapsedMs since the case began */
  constructor(private readonly elapsedMs: () => number) {}

  /** Logs a request about to be sent. */
  asks(request: ProbeRequest, base: string): SaidRequest {
    const { method = 'GET' } = request
    const body = bodyOf(request, {})
    const text = body === undefined ? {} : { body }
    const asking = this.asking(request, base)
    return this.kept({ kind: 'request', ...asking, method, ...text, answer: null })
  }

  /** Logs a socket about to be opened. */
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

  /** Creates the log of a socket's frames. */
  logOf(said: SaidSocket): SocketLog {
    return {
      frame: (from, data) => {
        const text = typeof data === 'string' ? data : `(${data.byteLength} bytes)`
        // Sent frames are needed whole for a replay.
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

  /** Strictly ascending, so that the latest entry can be found, however fast the responses. */
  private now(): number {
    this.latestUs = Math.max(Math.round(this.elapsedMs() * 1000), this.latestUs + 1)
    return this.latestUs / 1000
  }
}

function cut(text: string): string {
  const { length } = text
  if (length <= TEXT_MAX + SLACK) return text
  // A slice would keep the whole text in memory; a copy does not.
  const copy = Buffer.from(text.slice(0, TEXT_MAX + SLACK)).toString()
  return `${copy}… (${length})`
}

/** Credentials sent instead of the right ones; null where one is computed from these. */
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
