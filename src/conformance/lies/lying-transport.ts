/** Changes to traffic between the suite and a target, and the transport that applies them. */

import type { Operation } from '../../contract/operation.ts'
import { PREFIXES } from '../../contract/prefixes.ts'
import { operationAt } from '../answer-content.ts'
import { isSafeToCall } from '../derived/tested-operation.ts'
import {
  isSocket,
  type TargetTransport,
  type TransportRequest,
  type TransportResponse,
  type TransportSocket,
} from '../target-transport.ts'

/** Each part may be left out: that part is then unchanged. */
export interface Change {
  /** The request that the service reads instead of the sent one. */
  request?: (sent: TransportRequest) => TransportRequest
  /** The response to `sent`, before the change of the request. */
  answer?: (
    received: TransportResponse,
    sent: TransportRequest,
  ) => TransportResponse | Promise<TransportResponse>
  /** A connection opened to a path. */
  connection?: (path: string) => ConnectionChange
}

export interface ConnectionChange {
  /** Frames that the service receives instead of a client's; `tell` replies directly. */
  sent?: (frame: string, tell: (frame: string) => void) => string[]
  /** Frames that the client receives instead of the service's. */
  frame?: (frame: string) => string[]
  closeCode?: (right: number | null) => number | null
}

/** Number of changed items. */
export interface Tally {
  changed: number
}

/** A transport with a change. */
export function changedTransport(
  transport: TargetTransport,
  { request = (sent) => sent, answer, connection }: Change,
  { tally = { changed: 0 }, nowMs = () => 0 }: { tally?: Tally; nowMs?: () => number } = {},
): TargetTransport {
  const requested = async (sent: TransportRequest): Promise<TransportResponse> => {
    const changed = request(sent)
    const received = await transport.request(changed)
    if (!isOtherRequest(changed, sent)) return received
    // A misread request with the same response is no change: both are sent where that is safe.
    if (!isSafe(sent) || isOther(received, await transport.request(sent))) tally.changed++
    return received
  }
  const answered = async (received: TransportResponse, sent: TransportRequest) => {
    const changed = answer ? await answer(received, sent) : received
    if (isOther(received, changed)) tally.changed++
    return changed
  }
  return {
    request: async (sent) => answered(await requested(sent), sent),
    connect: async (path, isAgain, signedAgain = () => path) => {
      const sent: TransportRequest = { method: 'GET', path }
      const read = request(sent)
      if (isOtherRequest(read, sent)) tally.changed++
      const again = () => request({ method: 'GET', path: signedAgain() }).path
      const opened = await transport.connect(read.path, isAgain, again)
      if (!isSocket(opened)) return answered(opened, sent)
      return connection ? changedSocket(opened, connection(path), tally, nowMs) : opened
    },
  }
}

function isSafe(sent: TransportRequest): boolean {
  const operation = operationOf(sent)
  return operation !== undefined && isSafeToCall(operation)
}

/** The path of a request below its prefix, without its query. */
export function pathBelow({ path }: Pick<TransportRequest, 'path'>): string {
  const whole = path.split('?')[0] ?? ''
  const prefix = PREFIXES.find((one) => whole.includes(`${one}/`)) ?? ''
  return prefix === '' ? whole : whole.slice(whole.indexOf(prefix) + prefix.length)
}

/** The operation of a request as it is sent; undefined for none. */
export const operationOf = (sent: TransportRequest): Operation | undefined =>
  operationAt(sent.method, pathBelow(sent))

const isOtherRequest = (one: TransportRequest, other: TransportRequest): boolean =>
  one.path !== other.path || one.body !== other.body || one.method !== other.method

const isOther = (one: TransportResponse, other: TransportResponse): boolean =>
  one.text !== other.text || one.status !== other.status || one.contentType !== other.contentType

/** Passes frames in their order, whichever method reads them. */
function changedSocket(
  socket: TransportSocket,
  { sent, frame, closeCode = (right) => right }: ConnectionChange,
  tally: Tally,
  nowMs: () => number,
): TransportSocket {
  const frames: string[] = []
  const take = (): number => {
    const taken = socket.frames.splice(0)
    for (const text of taken) {
      const changed = frame ? frame(text) : [text]
      if (changed.length !== 1 || changed[0] !== text) tally.changed++
      frames.push(...changed)
    }
    return taken.length
  }
  const tell = (text: string) => {
    take()
    frames.push(text)
  }
  const heard = (data: string | Uint8Array): (string | Uint8Array)[] => {
    if (!sent || typeof data !== 'string') return [data]
    const changed = sent(data, tell)
    if (changed.length !== 1 || changed[0] !== data) tally.changed++
    return changed
  }
  return {
    get frames() {
      take()
      return frames
    },
    get closeCode() {
      const right = socket.closeCode
      const changed = closeCode(right)
      if (changed !== right) tally.changed++
      return changed
    },
    send: (data) => {
      for (const one of heard(data)) socket.send(one)
    },
    ping: () => socket.ping?.(),
    close: () => socket.close(),
    // A dropped frame is no activity: the wait continues.
    waitForActivity: async (ms) => {
      const endMs = nowMs() + ms
      let taken = take()
      do {
        if (frames.length > 0) return
        await socket.waitForActivity(endMs - nowMs())
        taken = take()
      } while (taken > 0 && frames.length === 0 && nowMs() < endMs)
    },
  }
}

// Lies: changes with what they contradict.

/** Families of lies, with their descriptions. */
export const FAMILIES = {
  between: 'between answers: a value that another answer contradicts',
  'over-time': 'over time: what was said before is another thing later',
  sockets: 'on sockets: what is lost, repeated, late, or not subscribed',
  refusals: 'in refusals: envelopes, codes and content types',
} as const

export type Family = keyof typeof FAMILIES

/** A way to contradict oneself in which no single answer or frame looks wrong. */
export interface Lie {
  /** `between.perpdex.pnls.[].pnl: negated`: unique. */
  id: string
  family: Family
  /** The operation or channel that is changed. */
  of: string
  /** Of `POST /info`, the only type that is changed. */
  type?: string
  /** Data without which it cannot be tried or noticed. */
  needs: string
  /** Written before the rules that should notice it had been read: it measures them. */
  isHeldOut?: true
  /** The change of the traffic, without state so far. */
  change: () => Change
}
