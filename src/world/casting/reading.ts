import { Complaint } from '../../complaint.ts'
import { type Rate, rate } from '../../decimal/quantity.ts'
import { parse, power } from '../../decimal/scaled.ts'

/** Reads a number that the source may give with more digits than we keep; rounds to nearest. */
export function nearest(text: string, scale: number): number {
  const dot = text.indexOf('.')
  if (dot === -1 || text.length - dot - 1 <= scale) return parse(text, scale)
  return Math.round(Number(text) * power(scale))
}

/** Hourly rates and premiums. */
export function rateOf(text: string | undefined): Rate {
  const value = Math.round(Number(text ?? '0') * 1e10)
  return rate(Number.isSafeInteger(value) ? value + 0 : 0)
}

/** Does something with an event; what cannot be read becomes a complaint that names the event. */
export function reading<T>(event: { seq: number; kind: string; coin: string }, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const { kind, seq, coin } = event
    throw new Complaint(`tape event ${seq} (${kind} ${coin}) cannot be read: ${error.message}`)
  }
}

/** Greatest common divisor: the grid that a set of numbers lies on. */
export function grid(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}
