/**
 * Shifts the instants of a value from tape time to the time that clients are shown, or back.
 * Which fields are instants, and in which unit, stands in the schema (`x-time`), so it is done here
 * only.
 */
import type { TimeUnit, TSchema } from './schema.ts'
import { leafWalk } from './schema-walk.ts'

/** Gives back a shifted copy; what holds no instant is shared with the original. */
export type Rebase = (value: unknown, shiftMs: number) => unknown

/** The shifter of a schema; null when it holds no instant. Compiled once for each schema. */
export function rebaseOf(schema: TSchema): Rebase | null {
  const known = shifters.get(schema)
  if (known !== undefined) return known
  const walk = instantsOf(schema)
  const made: Rebase | null =
    walk &&
    ((value, shiftMs) => walk(value, (instant, unit) => shiftedInstant(instant, unit, shiftMs)))
  shifters.set(schema, made)
  return made
}

const shifters = new WeakMap<TSchema, Rebase | null>()

/** Finds the instants in values of a schema; null when it holds none. */
export const instantsOf = leafWalk<TimeUnit>('x-time')

/** An instant, so much later. */
export const shiftedInstant = (instant: unknown, unit: TimeUnit, shiftMs: number): unknown =>
  SHIFTS[unit](instant, shiftMs)

/** No instant of ours is earlier in ms (1973) or later in s (5138). */
const LEAST_MS = 1e11

const SHIFTS: Record<TimeUnit, Rebase> = {
  ms: (value, shiftMs) => (typeof value === 'number' ? value + shiftMs : value),
  s: (value, shiftMs) => (typeof value === 'number' ? value + Math.round(shiftMs / 1000) : value),
  sOrMs: (value, shiftMs) =>
    SHIFTS[typeof value === 'number' && value >= LEAST_MS ? 'ms' : 's'](value, shiftMs),
  msDigits: (value, shiftMs) =>
    typeof value === 'string' ? String(Number(value) + shiftMs) : value,
  sDigits: (value, shiftMs) =>
    typeof value === 'string' ? String(Number(value) + Math.round(shiftMs / 1000)) : value,
  iso: (value, shiftMs) =>
    typeof value === 'string' ? isoText(Date.parse(value) + shiftMs) : value,
  text: (value, shiftMs) =>
    typeof value === 'string'
      ? plainText(Date.parse(`${value.replace(' ', 'T')}Z`) + shiftMs)
      : value,
}

/** ISO 8601 in UTC with at most three decimals, trailing zeros cut: `2026-01-15T12:00:29.16Z`. */
export function isoText(timeMs: number): string {
  return new Date(timeMs)
    .toISOString()
    .replace(/(\.\d*?)0+Z$/, '$1Z')
    .replace('.Z', 'Z')
}

/** `YYYY-MM-DD HH:mm:ss`, UTC. */
export function plainText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ')
}
