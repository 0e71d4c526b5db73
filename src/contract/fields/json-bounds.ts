/** The text of JSON input: its bounds, checked in one pass, and a mark before it. */

export interface JsonBounds {
  /** Maximum nesting of lists and objects. */
  depth: number
  /** Maximum number of list elements and object fields in all. */
  elements: number
  /** Maximum UTF-16 units of one text or field name. */
  textLength: number
}

/** The bounds of control calls, unless their declaration has others. */
export const CALL_BOUNDS: JsonBounds = { depth: 32, elements: 20_000, textLength: 64 << 10 }

/** The bounds of a call of the contract, and of a client's frame. */
export const CONTRACT_BOUNDS: JsonBounds = { depth: 16, elements: 20_000, textLength: 256 << 10 }

/** The bounds of files that commands read: settings, answers to questions, earlier reports. */
export const FILE_BOUNDS: JsonBounds = { depth: 64, elements: 2_000_000, textLength: 4 << 20 }

const [QUOTE, COMMA, BACKSLASH] = [34, 44, 92]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Why a text exceeds the bounds, as the continuation of a sentence about it ("has …"); null when it
 * does not. Linear in its length; invalid JSON is left to the parser.
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

/** Index of the quote that ends the text from `start`; the end of all for none. */
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

/** Whether a text begins with a byte order mark, which is no part of JSON. */
export const isMarked = (text: string): boolean => text.charCodeAt(0) === 0xfeff

/** The text without one. */
export const withoutMark = (text: string): string => (isMarked(text) ? text.slice(1) : text)
