/** Requests: msw intercepts them, the backend answers. */
import { type HttpHandler, HttpResponse, http, passthrough } from 'msw'
import { type Backend, LostConnection } from './backend.ts'
import { everythingAt, httpBaseOf, type InterceptedUrls } from './intercepted-urls.ts'

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
