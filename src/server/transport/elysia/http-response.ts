/** Paths, URLs and responses over HTTP. */

import { hostClock } from '../../../clock/system-clock.ts'
import type { Refusal } from '../../../contract/refusal.ts'
import { VERSION } from '../../../platform/version.ts'
import type { ProcessMemory } from '../../../sandbox/memory.ts'
import {
  bareRequest,
  type HttpResponse,
  jsonResponse,
  type ResponseDelivery,
} from '../../../sandbox/pipeline/http-message.ts'
import { dateHeader } from '../../../sandbox/pipeline/pipeline.ts'
import type { Registry } from '../../../sandbox/registry.ts'
import type { ControlResponse } from '../../control/control-call.ts'

/** Path and query of a URL, undecoded. */
export function splitUrl(url: string): { pathname: string; query: string } {
  // For a request without a host the runtime gives the path alone.
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('//') + 2)
  const mark = url.indexOf('?', start)
  if (mark === -1) return { pathname: url.slice(start), query: '' }
  return { pathname: url.slice(start, mark), query: url.slice(mark + 1) }
}

/** The HTTP response, readable by web pages of any origin, as the service's own are. */
export function toResponse(answer: HttpResponse): Response | Promise<Response> {
  const { status, contentType, body, headers, delivery } = answer
  const all = { 'content-type': contentType, ...CORS_HEADERS, ...headers }
  return delivery
    ? deliver({ status, headers: all }, body, delivery)
    : new Response(body, { status, headers: all })
}

export const SAFE_HEADERS = { 'x-content-type-options': 'nosniff' }
export const CORS_HEADERS = { ...SAFE_HEADERS, 'access-control-allow-origin': '*' }

/** The control plane's HTTP response: for pages of its own origin only, possibly a stream. */
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

/** Lets clients of another version report the mismatch. */
const VERSION_HEADER = { 'tapewright-version': VERSION }

/** A refusal before the operation is known, in the form of the path's owner. */
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

/** Prefix of the control plane's paths. */
export const CONTROL_PATH = '/_control'

/** Responses that are late, slow or incomplete, as a scenario requires. */
interface ResponseHead {
  status: number
  headers: Record<string, string>
}

/** Sends a body as its delivery requires. A lost connection is a stream that breaks off. */
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
      // The chunks must have been sent before the connection is reset.
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

// Preflight requests of browsers.

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

// Reads request bodies as text, within bounds.

/** Maximum size of a body, unless the call has another. */
export const BODY_MAX = 1 << 20

/** Maximum bytes of the large bodies that are handled at the same time. */
const LARGE_BODIES_BYTES = 64 << 20

/** Smaller bodies are always read. */
const SMALL_BODY = 64 << 10

/** Room for large bodies: one that does not fit is refused before it is read. */
export class BodyRoom {
  private heldBytes = 0

  /**
   * Room for a body until the result is called, or why there is none. A body of unknown length
   * counts with the maximum size, and so does a compressed one.
   */
  take(request: Request, memory: ProcessMemory, maxBytes = BODY_MAX): (() => void) | string {
    const bytes = Math.min(declaredBytes(request) ?? maxBytes, maxBytes)
    if (bytes <= SMALL_BODY) return () => {}
    const full = memory.refusal()
    if (full !== null) return full
    if (this.heldBytes + bytes > LARGE_BODIES_BYTES)
      return 'many large bodies are being read already: send this one again in a moment'
    this.heldBytes += bytes
    return () => {
      this.heldBytes -= bytes
    }
  }
}

/** Declared length of a body, 0 for none; null where it is unknown. */
function declaredBytes({ headers }: Request): number | null {
  if (packedFormat(headers) !== null) return null
  const declared = headers.get('content-length')
  if (declared !== null) return Number(declared)
  return headers.has('transfer-encoding') ? null : 0
}

/**
 * Reads the body of a request; of one that is too large no more is read. One that arrives too
 * slowly ends with its connection: the runtime closes it after half a minute.
 */
export async function readRequestBody(
  request: Request,
  maxBytes = BODY_MAX,
): Promise<string | Refusal<'tooLarge' | 'body'>> {
  const tooLarge = { refused: 'tooLarge', maxBytes } as const
  // Not a number when the header is missing, or was sent twice.
  const bytes = Number(request.headers.get('content-length') ?? Number.NaN)
  if (bytes > maxBytes) return { ...tooLarge, declaredBytes: bytes }
  const format = packedFormat(request.headers)
  if (format === undefined) return { refused: 'body', expected: READABLE }
  try {
    if (format) return await readPacked(request, format, maxBytes)
    // The runtime reads no more than was declared.
    if (bytes <= SMALL_BODY) return UTF8.decode(await request.arrayBuffer())
    if (!Number.isNaN(bytes)) return await decodedInTurn(await request.arrayBuffer())
    const read = await readStart(request.body, maxBytes)
    return read === null ? tooLarge : UTF8.decode(read)
  } catch {
    // The client has gone or was cut off, and receives nothing.
    return tooLarge
  }
}

/** It leaves a byte order mark in the text, which the rules of a sandbox may refuse. */
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true })

let decoded = Promise.resolve()

/** A large body as text; of several that arrive together one is decoded in each turn. */
async function decodedInTurn(bytes: ArrayBuffer): Promise<string> {
  decoded = decoded.then(() => hostClock.yieldTurn())
  await decoded
  return UTF8.decode(bytes)
}

/** Supported encodings of bodies. */
const PACKED = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
} as const

type PackedFormat = (typeof PACKED)[keyof typeof PACKED]

/** null for a body that is not packed, undefined for one that is packed otherwise. */
function packedFormat(headers: Headers): PackedFormat | null | undefined {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return null
  return PACKED[encoding as keyof typeof PACKED]
}

const READABLE = 'one that is plain, or packed once: Content-Encoding gzip, deflate, br or zstd'

/** A compressed body as text, decompressed up to the bound; an incomplete one as received. */
async function readPacked(
  request: Request,
  format: PackedFormat,
  maxBytes: number,
): Promise<string | Refusal<'tooLarge'>> {
  const packed = await readStart(request.body, maxBytes)
  if (packed === null) return { refused: 'tooLarge', maxBytes }
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format))
  try {
    const read = await readStart(unpacked, maxBytes)
    return read === null ? { refused: 'tooLarge', maxBytes } : UTF8.decode(read)
  } catch {
    return UTF8.decode(packed)
  }
}

/** A body of unknown length; null for one that is too large. */
async function readStart(
  body: ReadableStream | null,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
