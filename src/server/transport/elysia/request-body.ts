/** Reading a body: as text, and not more of it than is taken. */
import type { Refusal } from '../../../contract/refusal.ts'
import type { ProcessMemory } from '../../../sandbox/memory.ts'

/** Larger bodies are refused, where a call says nothing else. */
export const BODY_MAX = 1 << 20

/** Bytes of the large bodies that are read and answered at the same time. */
const LARGE_BODIES_BYTES = 64 << 20

/** Smaller bodies are always read. */
const SMALL_BODY = 64 << 10

/** Room for large bodies: what does not fit is refused before it is read. */
export class BodyRoom {
  private heldBytes = 0

  /**
   * Room for a body until the result is called, or why there is none. A body of unknown length
   * counts as one of the most that is read, and so does a packed one.
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

/** Bytes of a body as it is read, 0 for none; null where that is not said. */
function declaredBytes({ headers }: Request): number | null {
  if (packedFormat(headers)) return null
  const declared = headers.get('content-length')
  if (declared !== null) return Number(declared)
  return headers.has('transfer-encoding') ? null : 0
}

/**
 * The body of a request; of one that is too large no more is read. One that comes too slowly ends
 * with its connection: the runtime closes it after half a minute.
 */
export async function readRequestBody(
  request: Request,
  maxBytes = BODY_MAX,
): Promise<string | Refusal<'tooLarge'>> {
  const tooLarge = { refused: 'tooLarge', maxBytes } as const
  // Not a number when the header is missing, or was sent twice.
  const bytes = Number(request.headers.get('content-length') ?? Number.NaN)
  if (bytes > maxBytes) return { ...tooLarge, declaredBytes: bytes }
  const format = packedFormat(request.headers)
  try {
    if (format) return await readPacked(request, format, maxBytes)
    // The runtime reads no more than was declared.
    if (!Number.isNaN(bytes)) return await request.text()
    const read = await readStart(request.body, maxBytes)
    return read === null ? tooLarge : new TextDecoder().decode(read)
  } catch {
    // By a client that has gone, or was cut off, and receives nothing.
    return tooLarge
  }
}

/** How bodies are packed that are read. */
const PACKED: Readonly<Record<string, 'gzip' | 'deflate'>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
}

const packedFormat = (headers: Headers) =>
  PACKED[headers.get('content-encoding')?.trim().toLowerCase() ?? '']

/** A packed body as text, unpacked to no more than the bound; one that is not whole as it came. */
async function readPacked(
  request: Request,
  format: 'gzip' | 'deflate',
  maxBytes: number,
): Promise<string | Refusal<'tooLarge'>> {
  const packed = await readStart(request.body, maxBytes)
  if (packed === null) return { refused: 'tooLarge', maxBytes }
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream(format))
  try {
    const read = await readStart(unpacked, maxBytes)
    return read === null ? { refused: 'tooLarge', maxBytes } : new TextDecoder().decode(read)
  } catch {
    return new TextDecoder().decode(packed)
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
