/**
 * Shifts the instants of a value from tape time to the time that clients are shown, or back.
 * Which fields are instants, and in which unit, stands in the schema (`x-time`), so it is done here
 * only.
 */
import type { TimeUnit, TSchema } from './schema.ts'

/** Gives back a shifted copy; what holds no instant is shared with the original. */
export type Rebase = (value: unknown, shiftMs: number) => unknown

/** What stands in the place of an instant. */
type Replace = (instant: unknown, unit: TimeUnit) => unknown

/** Gives back a copy with other instants; what holds none is shared with the original. */
type Walk = (value: unknown, replace: Replace) => unknown

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
export function instantsOf(schema: TSchema): Walk | null {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = compile(schema)
  compiled.set(schema, made)
  return made
}

const compiled = new WeakMap<TSchema, Walk | null>()

/** An instant, so much later. */
export const shiftedInstant = (instant: unknown, unit: TimeUnit, shiftMs: number): unknown =>
  SHIFTS[unit](instant, shiftMs)

function compile(schema: TSchema): Walk | null {
  const unit = schema['x-time'] as TimeUnit | undefined
  if (unit !== undefined) return (value, replace) => replace(value, unit)
  if (Array.isArray(schema.anyOf)) return union(schema.anyOf as TSchema[])
  if (schema.type === 'array') return list(schema)
  if (schema.type === 'object') return record(schema)
  return null
}

function union(members: TSchema[]): Walk | null {
  const walks = members.map(instantsOf).filter((walk) => walk !== null)
  if (walks.length === 0) return null
  return (value, replace) => {
    let result = value
    for (const walk of walks) {
      result = walk(value, replace)
      if (result !== value) break
    }
    return result
  }
}

function list(schema: TSchema): Walk | null {
  const items = schema.items as TSchema | TSchema[] | undefined
  if (items === undefined) return null
  if (Array.isArray(items)) {
    const walks = items.map(instantsOf)
    if (walks.every((walk) => walk === null)) return null
    return onArray((value, at, replace) => walks[at]?.(value, replace) ?? value)
  }
  const walk = instantsOf(items)
  return walk && onArray((value, _, replace) => walk(value, replace))
}

function onArray(each: (value: unknown, at: number, replace: Replace) => unknown): Walk {
  return (value, replace) => {
    if (!Array.isArray(value)) return value
    const shifted = value.map((item, at) => each(item, at, replace))
    return shifted.some((item, at) => item !== value[at]) ? shifted : value
  }
}

function record(schema: TSchema): Walk | null {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
    .map(([name, field]) => [name, instantsOf(field)] as const)
    .filter((entry): entry is [string, Walk] => entry[1] !== null)
  if (fields.length === 0) return null
  return (value, replace) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const given = value as Record<string, unknown>
    let shifted = given
    for (const [name, walk] of fields) {
      const moved = given[name] === undefined ? undefined : walk(given[name], replace)
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
