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
   * counts as one of the most that is read.
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

/** Bytes of a body, 0 for none; null where its length is not said. */
function declaredBytes({ headers }: Request): number | null {
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
  try {
    // The runtime reads no more than was declared.
    const text = Number.isNaN(bytes) ? await readStart(request, maxBytes) : await request.text()
    return text ?? tooLarge
  } catch {
    // By a client that has gone, or was cut off, and receives nothing.
    return tooLarge
  }
}

/** A body of unknown length as text; null for one that is too large. */
async function readStart({ body }: Request, maxBytes: number): Promise<string | null> {
  if (body === null) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
