/** Reading a body: as text, and not more of it than is taken. */
import type { Refusal } from '../../contract/refusal.ts'

/** Larger bodies are refused. */
export const BODY_MAX = 1 << 20

/** The runtime itself cuts off what is larger than this, without an envelope. */
export const BODY_HARD_MAX = 4 * BODY_MAX

/**
 * The body of a request. One that comes too slowly ends with its connection: the runtime closes it
 * after half a minute.
 */
export async function readRequestBody(
  request: Request,
  maxBytes = BODY_MAX,
): Promise<string | Refusal<'tooLarge'>> {
  const tooLarge = { refused: 'tooLarge', maxBytes } as const
  if (Number(request.headers.get('content-length')) > maxBytes) return tooLarge
  try {
    const text = await request.text()
    return text.length <= maxBytes && byteLengthOf(text, maxBytes) <= maxBytes ? text : tooLarge
  } catch {
    // Cut off by the runtime, or by a client that has gone and receives nothing.
    return tooLarge
  }
}

/** A letter has at most three bytes in UTF-8: most bodies need no count. */
const byteLengthOf = (text: string, maxBytes: number) =>
  3 * text.length <= maxBytes ? 0 : Buffer.byteLength(text)
