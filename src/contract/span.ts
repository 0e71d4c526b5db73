/** Spans of time in parameters: a number and one of s, m, h, d, w. */

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** `15m` in ms, infinite for one of very many digits; null when the text is no span. */
export function readSpan(text: string): number | null {
  const known = spans.get(text)
  if (known !== undefined) return known
  const lengthMs = parseSpan(text)
  const isKept = lengthMs !== null && text.length <= LENGTH_KEPT && spans.size < SPANS_MAX
  if (isKept) spans.set(text, lengthMs)
  return lengthMs
}

/** Parsed spans, cached: candles need the same one thousands of times. */
const spans = new Map<string, number>()
const SPANS_MAX = 200
const LENGTH_KEPT = 16

function parseSpan(text: string): number | null {
  const match = /^([1-9]\d*)([smhdw])$/.exec(text)
  if (!match) return null
  return Number(match[1]) * UNITS_MS[match[2] as keyof typeof UNITS_MS]
}

/** `15m` in ms, for text that has been checked. */
export function spanMs(text: string): number {
  const length = readSpan(text)
  if (length === null) throw new RangeError(`"${text}" is not a span such as 15m`)
  return length
}

/** The longest text such as `15m` up to `lengthMs`, of 1 s or more. */
export function spanText(lengthMs: number): string {
  const fitting = Object.entries(UNITS_MS)
    .map(([unit, ms]) => ({ unit, ms, count: Math.floor(lengthMs / ms) }))
    .filter(({ count }) => count >= 1)
    .sort((a, b) => b.count * b.ms - a.count * a.ms)
  const [best] = fitting
  if (!best) throw new RangeError(`${lengthMs} ms cannot be written as a span`)
  return best.count + best.unit
}
