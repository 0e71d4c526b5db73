/** Bounds of JSON that comes in, and a check of them that needs one pass over its text. */

export interface JsonBounds {
  /** Lists and objects inside one another. */
  depth: number
  /** Values of lists and fields of objects, in all. */
  elements: number
  /** UTF-16 units of one text, or of the name of a field. */
  textLength: number
}

/** What a call of the control plane may have, where its declaration says nothing else. */
export const CALL_BOUNDS: JsonBounds = { depth: 32, elements: 20_000, textLength: 64 << 10 }

/** The body of a call of the contract, and a frame of a client. */
export const CONTRACT_BOUNDS: JsonBounds = { depth: 16, elements: 20_000, textLength: 256 << 10 }

/** A file that a command reads: settings, answers to questions, the report of an earlier run. */
export const FILE_BOUNDS: JsonBounds = { depth: 64, elements: 2_000_000, textLength: 4 << 20 }

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Why a text is not parsed, as the continuation of a sentence about it ("has …"); null when it
 * keeps the bounds. Linear in its length; a text that is no JSON is left to the parser.
 */
export function jsonBoundFlaw(text: string, bounds: JsonBounds): string | null {
  let [depth, elements] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === QUOTE) {
      const end = endOfText(text, at)
      if (end - at - 1 > bounds.textLength)
        return `has a text of ${end - at - 1} characters, at most ${bounds.textLength}`
      at = end
    } else if (char === COMMA) elements++
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      elements++
      if (++depth > bounds.depth)
        return `has lists or objects inside one another, at most ${bounds.depth} deep`
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth--
    if (elements > bounds.elements) return `has more than ${bounds.elements} elements`
  }
  return null
}

/** Place of the quote that ends the text which begins at `start`; the end of all for none. */
function endOfText(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, quote: number): boolean {
  let at = quote
  while (text.charCodeAt(at - 1) === BACKSLASH) at--
  return (quote - at) % 2 === 1
}
