import * as msw from 'msw'
import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { UserError } from '../../../platform/user-error.ts'
import { everythingAt, httpBaseOf, type InterceptedUrls } from './intercepted-urls.ts'

/**
 * Answers the requests and sockets that msw has intercepted: a running sandbox over the network, or
 * the pipeline in the same process. The handlers depend on this interface only.
 */
export interface Backend {
  /** Addresses that reach it without msw; requests for these are let through. */
  readonly ownUrls: readonly string[]
  /** The response of a request; rejects with a LostConnection when the client gets none. */
  request(request: BackendRequest): Promise<Response>
  /** An open socket; null when the client is to be refused. */
  connect(path: string, listener: SocketListener): Promise<BackendSocket | null>
}

export interface BackendRequest {
  method: string
  /** Path from the contract's prefix on, and the query, undecoded. */
  path: string
  headers: Headers
  /** null for none. */
  body: Uint8Array<ArrayBuffer> | null
  /** Aborted when the client no longer waits. */
  signal: AbortSignal
}

/** Receives the events of a socket, of which `closed` is the last. */
export interface SocketListener {
  frame(text: string): void
  /** With 1006 when the connection was lost. */
  closed(code: number, reason: string): void
}

export interface BackendSocket {
  send(data: string | Uint8Array<ArrayBuffer>): void
  /** Closes with a code, 1000 or 3000 to 4999, and a reason. */
  close(code: number, reason: string): void
}

/** The connection was lost before a response. */
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
 * Lets requests to the sandbox itself through: the backend's own, those of a client with its
 * address, and those to its control plane.
 */
export const passingHandlers = (ownUrls: readonly string[]): HttpHandler[] =>
  [...new Set(ownUrls.map((url) => new URL(httpBaseOf(url)).origin))].map((origin) =>
    http.all(everythingAt(origin), () => passthrough()),
  )

// Checks that the installed msw and runtime are supported.

/** The peer dependency of `package.json`. */
export const SUPPORTED_MSW = '^2.15.0 || ^3.0.0'

/** Throws a UserError with the version to install. */
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
