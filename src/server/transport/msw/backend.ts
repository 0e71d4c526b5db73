/**
 * What answers the requests and sockets that msw has intercepted: a running sandbox that is asked
 * over the network, or the pipeline in the same process. The handlers know nothing else of it.
 */
export interface Backend {
  /** Addresses that reach it without msw; requests for these are let through. */
  readonly ownUrls: readonly string[]
  /** The answer of a request; it rejects with a LostConnection when the client gets none. */
  request(request: BackendRequest): Promise<Response>
  /** A socket that is open; null when the client is to be refused. */
  connect(path: string, listener: SocketListener): Promise<BackendSocket | null>
}

export interface BackendRequest {
  method: string
  /** Path from the contract's prefix on, and the query, undecoded. */
  path: string
  headers: Headers
  /** null for none. */
  body: Uint8Array<ArrayBuffer> | null
  /** Set off when the client waits no longer. */
  signal: AbortSignal
}

/** What a socket tells its client; nothing comes after `closed`. */
export interface SocketListener {
  frame(text: string): void
  /** With 1006 when the connection was lost. */
  closed(code: number, reason: string): void
}

export interface BackendSocket {
  send(data: string | Uint8Array<ArrayBuffer>): void
  /** The client closes with a code, 1000 or 3000 to 4999, and a reason. */
  close(code: number, reason: string): void
}

/** The connection was lost before an answer came. */
export class LostConnection extends Error {}
