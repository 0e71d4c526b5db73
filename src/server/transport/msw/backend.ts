import * as msw from 'msw'
import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { UserError } from '../../../platform/user-error.ts'
import { everythingAt, httpBaseOf, type InterceptedUrls } from './intercepted-urls.ts'

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

// Requests: msw intercepts them, the backend answers.

/** Answers every request under a base URL of the service, known path or not. */
export function forwardingHandler(urls: InterceptedUrls, backend: Backend): HttpHandler {
  return http.all(urls.http, async ({ request }) => {
    const { method, url, headers, signal } = request
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer())
    try {
      return await backend.request({ method, path: urls.pathOf(url), headers, body, signal })
    } catch (error) {
      if (error instanceof LostConnection) return HttpResponse.error()
      throw error
    }
  })
}

/**
 * Let requests to the sandbox itself through: the backend's own, those of a client that knows its
 * address, and those to its control plane, which lies beside it.
 */
export const passingHandlers = (ownUrls: readonly string[]): HttpHandler[] =>
  [...new Set(ownUrls.map((url) => new URL(httpBaseOf(url)).origin))].map((origin) =>
    http.all(everythingAt(origin), () => passthrough()),
  )

// Whether the msw and the runtime that were found are ones that the handlers work with.

/** What `package.json` asks for as a peer. */
export const SUPPORTED_MSW = '^2.15.0 || ^3.0.0'

/** Throws a UserError that says what to install instead. */
export function checkMsw(found: Readonly<Record<string, unknown>> = msw): void {
  const { http, ws, WebSocketHandler } = found as Partial<typeof msw>
  const isKnown = typeof http?.all === 'function' && typeof ws?.link === 'function'
  if (!isKnown || typeof WebSocketHandler?.prototype.run !== 'function')
    throw new UserError(
      `tapewright/msw needs msw ${SUPPORTED_MSW}, and another version was found: npm i -D msw@3`,
    )
  // Major 3 has moved this to an entry of its own.
  const isThird = !('graphql' in found)
  if (isThird && !('withResolvers' in Promise))
    throw new UserError('msw 3 needs Node 22.12 or later: npm i -D msw@2.15 works with Node 20')
}
