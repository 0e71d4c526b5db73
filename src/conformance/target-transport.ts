/** What carries requests and sockets to a target: HTTP, or memory in tests. */

import type { Method } from '../contract/operation.ts'

export interface TransportRequest {
  method: Method
  /** From the base URL on, with the query string. */
  path: string
  body?: string
  /** It was not answered before: more time is given to it. */
  isAgain?: true
}

export interface TransportResponse {
  status: number
  contentType: string
  /** When to ask again, where the answer says so. */
  retryAfter?: string
  text: string
}

export interface TransportSocket {
  /** Frames received so far, in order; the reader takes them out. */
  readonly frames: string[]
  /** Close code once it is closed: 1006 when it was dropped. */
  readonly closeCode: number | null
  /** Why it was cut off: more than is read; null while it was not. */
  readonly flaw?: string | null
  send(data: string | Uint8Array): void
  /** Sends a ping of the protocol, which is no message; not every transport can. */
  ping?(): void
  close(): void
  /** Resolves when something has come, when it has closed, or after so long; it is bounded. */
  waitForActivity(ms: number): Promise<void>
}

/** A socket, or an answer, which may be given in place of one. */
export type Received = TransportResponse | TransportSocket

export interface TargetTransport {
  /** Where it leads, `http://127.0.0.1:4010`, for reports; paths alone are told without. */
  base?: string
  request(sent: TransportRequest): Promise<TransportResponse>
  /** A socket, or the answer that was given in place of one. */
  connect(path: string, isAgain?: boolean): Promise<Received>
}

/** Tells a socket from an answer. */
export const isSocket = (opened: Received): opened is TransportSocket => 'frames' in opened

// Which permission an answer says is missing.

/** Its name; null for any other answer. */
export function deniedPermission(received: Received): string | null {
  if (!('status' in received) || received.status !== 403) return null
  return /Permission denied: ([\w:]+)/.exec(received.text)?.[1] ?? null
}
