import { type Rate, rate } from '../../decimal/quantity.ts'
import { parse, pow10 } from '../../decimal/scaled.ts'
import { UserError } from '../../platform/user-error.ts'

/** Reads a number that the source may give with more digits than `scale`; rounds to nearest. */
export function parseNearest(text: string, scale: number): number {
  const dot = text.indexOf('.')
  if (dot === -1 || text.length - dot - 1 <= scale) return parse(text, scale)
  return Math.round(Number(text) * pow10(scale))
}

/** Hourly rates and premiums. */
export function rateOf(text: string | undefined): Rate {
  const value = Math.round(Number(text ?? '0') * 1e10)
  return rate(Number.isSafeInteger(value) ? value + 0 : 0)
}

/** Handles an event; what cannot be read becomes a UserError that names the event. */
export function withEvent<T>(event: { seq: number; kind: string; coin: string }, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const { kind, seq, coin } = event
    throw new UserError(`tape event ${seq} (${kind} ${coin}) cannot be read: ${error.message}`)
  }
}

/** Greatest common divisor: the grid that a set of numbers lies on. */
export function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b]
  while (y !== 0) [x, y] = [y, x % y]
  return x
}
