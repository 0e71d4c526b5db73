/**
 * Shifts the instants of a value from tape time to the time that clients are shown, or back.
 * Which fields are instants, and in which unit, stands in the schema (`x-time`), so it is done here
 * only.
 */
import type { TimeUnit, TSchema } from './schema.ts'

/** Gives back a shifted copy; what holds no instant is shared with the original. */
export type Rebase = (value: unknown, shiftMs: number) => unknown

/** The shifter of a schema; null when it holds no instant. Compiled once for each schema. */
export function rebaseOf(schema: TSchema): Rebase | null {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = compile(schema)
  compiled.set(schema, made)
  return made
}

const compiled = new WeakMap<TSchema, Rebase | null>()

function compile(schema: TSchema): Rebase | null {
  const unit = schema['x-time'] as TimeUnit | undefined
  if (unit !== undefined) return SHIFTS[unit]
  if (Array.isArray(schema.anyOf)) return union(schema.anyOf as TSchema[])
  if (schema.type === 'array') return list(schema)
  if (schema.type === 'object') return record(schema)
  return null
}

function union(members: TSchema[]): Rebase | null {
  const shifts = members.map(rebaseOf).filter((shift) => shift !== null)
  if (shifts.length === 0) return null
  return (value, shiftMs) => {
    let result = value
    for (const shift of shifts) {
      result = shift(value, shiftMs)
      if (result !== value) break
    }
    return result
  }
}

function list(schema: TSchema): Rebase | null {
  const items = schema.items as TSchema | TSchema[] | undefined
  if (items === undefined) return null
  if (Array.isArray(items)) {
    const shifts = items.map(rebaseOf)
    if (shifts.every((shift) => shift === null)) return null
    return onArray((value, at, shiftMs) => shifts[at]?.(value, shiftMs) ?? value)
  }
  const shift = rebaseOf(items)
  return shift && onArray((value, _, shiftMs) => shift(value, shiftMs))
}

function onArray(each: (value: unknown, at: number, shiftMs: number) => unknown): Rebase {
  return (value, shiftMs) => {
    if (!Array.isArray(value)) return value
    const shifted = value.map((item, at) => each(item, at, shiftMs))
    return shifted.some((item, at) => item !== value[at]) ? shifted : value
  }
}

function record(schema: TSchema): Rebase | null {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    .map(([name, field]) => [name, rebaseOf(field)] as const)
    .filter((entry): entry is [string, Rebase] => entry[1] !== null)
  if (fields.length === 0) return null
  return (value, shiftMs) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Record<string, unknown>
    let shifted = given
    for (const [name, shift] of fields) {
      const moved = given[name] === undefined ? undefined : shift(given[name], shiftMs)
      if (moved === given[name]) continue
      // Only what changes is copied, so a union sees which of its members it was.
      if (shifted === given) shifted = { ...given }
      shifted[name] = moved
    }
    return shifted
  }
}

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
