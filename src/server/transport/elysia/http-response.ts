/** Paths, URLs and answers as HTTP carries them. */

import { hostClock } from '../../../clock/system-clock.ts'
import { VERSION } from '../../../platform/version.ts'
import {
  bareRequest,
  type HttpResponse,
  jsonResponse,
  type ResponseDelivery,
} from '../../../sandbox/pipeline/http-message.ts'
import { dateHeader } from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { ControlResponse } from '../../control/control-route.ts'

/** Path and query of a URL, undecoded. */
export function splitUrl(url: string): { pathname: string; query: string } {
  // Of a request that names no host the runtime gives the path alone.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?', start)
  if (mark === -1) return { pathname: url.slice(start), query: '' }
  return { pathname: url.slice(start, mark), query: url.slice(mark + 1) }
}

/** An answer as HTTP carries it, for web pages of any origin, as the service's own are. */
export function toResponse(answer: HttpResponse): Response | Promise<Response> {
  const { status, contentType, body, headers, delivery } = answer
  const all = { 'content-type': contentType, ...CORS_HEADERS, ...headers }
  return delivery
    ? deliver({ status, headers: all }, body, delivery)
    : new Response(body, { status, headers: all })
}

export const SAFE_HEADERS = { 'x-content-type-options': 'nosniff' }
export const CORS_HEADERS = { ...SAFE_HEADERS, 'access-control-allow-origin': '*' }

/** An answer of the control plane: for pages of its own origin only, and maybe one that goes on. */
export function toControlResponse({
  status,
  contentType,
  body,
  headers,
}: ControlResponse): Response {
  return new Response(body as string, {
    status,
    headers: { 'content-type': contentType, ...SAFE_HEADERS, ...VERSION_HEADER, ...headers },
  })
}

/** For a client of another version, which can then say so. */
const VERSION_HEADER = { 'tapewright-version': VERSION }

/** A refusal before it is known what is asked: in the form of whom the path belongs to. */
export function earlyRefusal(
  path: string,
  status: number,
  text: string,
  headers?: Record<string, string>,
): Response | Promise<Response> {
  if (path.startsWith(CONTROL_PATH))
    return toControlResponse(jsonResponse(status, JSON.stringify({ error: text }), headers))
  const body = { code: String(status), msg: text, data: null }
  return toResponse(jsonResponse(status, JSON.stringify(body), headers))
}

/** What is under this belongs to the control plane. */
export const CONTROL_PATH = '/_control'

/** Answers that come late, slowly or not whole, as a scenario wants them. */
interface ResponseHead {
  status: number
  headers: Record<string, string>
}

/** Sends a body as its delivery says. A lost connection is a stream that breaks off. */
async function deliver(
  head: ResponseHead,
  body: string,
  delivery: ResponseDelivery,
): Promise<Response> {
  await delivery.ready
  switch (delivery.drop) {
    case 'before':
      return new Response(brokenStream([]), head)
    case 'middle':
      return new Response(brokenStream([Buffer.from(body.slice(0, body.length >> 1))]), head)
    case 'after':
      return new Response(body, { ...head, headers: { ...head.headers, connection: 'close' } })
    default:
      return new Response(delivery.chunks ? chunkStream(delivery.chunks()) : body, head)
  }
}

/** Breaks off after its chunks: the connection is reset. */
function brokenStream(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      // What is on its way must have gone before the connection is reset.
      for (let turn = 0; chunk && turn < 3; turn++) await hostClock.yieldTurn()
      if (chunk) return
      // An error with a message would be printed by the runtime.
      controller.error()
    },
  })
}

function chunkStream(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return?.()
    },
  })
}

// What a browser asks before a page of another origin may call.

/** Pages of any origin may call, as they may call the service, also on one's own machine. */
export function preflight(
  registry: Registry,
  { headers, url }: { headers: Headers; url: string },
): HttpResponse {
  const { pathname, query } = splitUrl(url)
  const isToOwnMachine = headers.get('access-control-request-private-network') === 'true'
  return {
    status: 204,
    contentType: 'text/plain',
    body: '',
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': '*',
      ...dateHeader(registry, bareRequest('OPTIONS', pathname, query)),
      ...(isToOwnMachine ? { 'access-control-allow-private-network': 'true' } : {}),
    },
  }
}
