/** Transport of requests and sockets to a target: HTTP, or memory in tests. */

import type { Method } from '../contract/operation.ts'

export interface TransportRequest {
  method: Method
  /** From the base URL on, with the query string. */
  path: string
  body?: string
  /** A repetition after a missing response: gets more time. */
  isAgain?: true
}

export interface TransportResponse {
  status: number
  contentType: string
  /** Retry-After, if any. */
  retryAfter?: string
  text: string
}

export interface TransportSocket {
  /** Frames received so far, in order; the reader removes them. */
  readonly frames: string[]
  /** Close code once it is closed: 1006 when it was dropped. */
  readonly closeCode: number | null
  /** Why it was cut off: a size limit; null while it was not. */
  readonly flaw?: string | null
  send(data: string | Uint8Array): void
  /** Sends a protocol ping, which is no message; not every transport can. */
  ping?(): void
  close(): void
  /** Resolves on a frame, on closing, or after a bounded time. */
  waitForActivity(ms: number): Promise<void>
}

/** A socket, or a response, possibly in place of a socket. */
export type Received = TransportResponse | TransportSocket

export interface TargetTransport {
  /** Base URL, `http://127.0.0.1:4010`, for reports; without it only paths are shown. */
  base?: string
  request(sent: TransportRequest): Promise<TransportResponse>
  /**
   * A socket, or the response in place of one.
   *
   * @param signedAgain the path with a new signature, for a transport that has to request a refused
   *   socket once more to see why: a service may remember nonces
   */
  connect(path: string, isAgain?: boolean, signedAgain?: () => string): Promise<Received>
}

/** Distinguishes a socket from a response. */
export const isSocket = (opened: Received): opened is TransportSocket => 'frames' in opened

// Missing permission named in a response.

/** Its name; null for any other answer. */
export function deniedPermission(received: Received): string | null {
  if (!('status' in received) || received.status !== 403) return null
  return /Permission denied: ([\w:]+)/.exec(received.text)?.[1] ?? null
}
