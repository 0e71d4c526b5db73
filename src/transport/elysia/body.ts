/** Reading a body: as text, and not more of it than is taken. */
import type { Refusal } from '../../contract/refusal.ts'

/** Larger bodies are refused. */
export const BODY_MOST = 1 << 20

/** The runtime itself cuts off what is larger than this, without an envelope. */
export const BODY_CUT = 4 * BODY_MOST

/**
 * The body of a request. One that comes too slowly ends with its connection: the runtime closes it
 * after half a minute.
 */
export async function bodyOf(request: Request): Promise<string | Refusal> {
  const tooLarge: Refusal = { refused: 'tooLarge', maxBytes: BODY_MOST }
  if (Number(request.headers.get('content-length')) > BODY_MOST) return tooLarge
  try {
    const text = await request.text()
    return text.length <= BODY_MOST && bytes(text) <= BODY_MOST ? text : tooLarge
  } catch {
    // Cut off by the runtime, or by a client who has gone and hears nothing.
    return tooLarge
  }
}

/** A letter has at most three bytes in UTF-8: most bodies need no count. */
const bytes = (text: string) => (3 * text.length <= BODY_MOST ? 0 : Buffer.byteLength(text))
