/** Spans of time as parameters write them: a number and one of s, m, h, d, w. */

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `15m` in ms; null when the text is no span. */
export function readSpan(text: string): number | null {
  const match = /^([1-9]\d{0,5})([smhdw])$/.exec(text)
  if (!match) return null
  return Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS]
}

/** `15m` in ms, for text that has been checked. */
export function spanMs(text: string): number {
  const length = readSpan(text)
  if (length === null) throw new RangeError(`"${text}" is not a span such as 15m`)
  return length
}
