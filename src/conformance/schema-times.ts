/** Times in answers by the unit that their schema says. */
import { Value } from '@sinclair/typebox/value'
import type { TSchema } from '../contract/schema.ts'
import { isJsonObject } from './response-reading.ts'

/** Where a time is none of these decades in its unit; null when all are. */
export function timeFlaw(schema: TSchema, value: unknown, path = 'data'): string | null {
  if (value === null || value === undefined) return null
  if (schema.anyOf) {
    const branch = (schema.anyOf as TSchema[]).find((one) => Value.Check(one, value))
    return branch ? timeFlaw(branch, value, path) : null
  }
  const unit = schema['x-time'] as string | undefined
  if (unit !== undefined) return unitFlaw(unit, value, path)
  if (schema.type === 'array' && Array.isArray(value)) return listFlaw(schema, value, path)
  if (schema.type !== 'object' || !isJsonObject(value)) return null
  for (const [name, field] of Object.entries(
    (schema.properties ?? {}) as Record<string, TSchema>,
  )) {
    const flaw = timeFlaw(field, value[name], `${path}.${name}`)
    if (flaw !== null) return flaw
  }
  return null
}

function listFlaw({ items }: TSchema, list: unknown[], path: string): string | null {
  for (const [at, item] of list.slice(0, ITEMS_MAX).entries()) {
    const schema = Array.isArray(items) ? items[at] : items
    const flaw = schema ? timeFlaw(schema, item, `${path}[]`) : null
    if (flaw !== null) return flaw
  }
  return null
}

/** Elements of a list that are looked at. */
const ITEMS_MAX = 100

function unitFlaw(unit: string, value: unknown, path: string): string | null {
  const isText = unit === 'iso' || unit === 'text'
  const count = isText ? Date.parse(String(value).replace(' ', 'T')) : Number(value)
  // Nothing has happened yet.
  if (count === 0) return null
  const isRight =
    unit === 'ms' || unit === 'msDigits' || isText ? isMs(count) : isMs(count) || isMs(count * 1000)
  const words = isText ? 'a time' : unit.startsWith('ms') ? 'a time in ms' : 'a time in s or ms'
  return isRight ? null : `${path} is ${words}, not ${JSON.stringify(value)}`
}

/** Between 2009, when the first coin was made, and 2100. */
const isMs = (count: number) => count > 1_230_768_000_000 && count < 4_102_444_800_000
