/** Whether two requests ask for the same: field by field, by what the fields mean. */
import { meaningOf } from '../../contract/meaning.ts'
import type { TSchema } from '../../contract/schema.ts'
import type { AskedField, AskedRequest } from '../asked-request.ts'

/** A field that two requests do not have in common; undefined where it was left out. */
export interface Difference {
  field: string
  asked: unknown
  recorded: unknown
}

/** A request, and when it was made: tape time, ms. */
export interface TimedRequest {
  asked: AskedRequest
  atMs: number
}

/**
 * So far apart two instants may be that are reckoned from the present: clients ask for "the last
 * hour" a little sooner or later than they did in the recording.
 */
export const PRESENT_TOLERANCE_MS = 10_000

/** In what they differ; instants by themselves, and by how far they lie from their present. */
export function differences(one: TimedRequest, recorded: TimedRequest): Difference[] {
  const names = new Set([...one.asked.fields, ...recorded.asked.fields].map(({ name }) => name))
  return [...names].flatMap((name) => {
    const [a, b] = [fieldOf(one, name), fieldOf(recorded, name)]
    if (a && b && (sameValue(a, b) || isSameDistance(a, b, one.atMs - recorded.atMs))) return []
    return [{ field: name, asked: a?.value, recorded: b?.value }]
  })
}

/** One text for all requests that have everything in common but instants. */
export const comparisonKey = ({ fields }: AskedRequest): string =>
  JSON.stringify(
    fields
      .filter((field) => !isInstant(field))
      .map(({ name, value, schema }) => [name, comparable(value, schema)]),
  )

/** Whether a request names instants, which `comparisonKey` leaves out. */
export const namesInstants = ({ fields }: AskedRequest): boolean => fields.some(isInstant)

const fieldOf = ({ asked }: TimedRequest, name: string): AskedField | undefined =>
  asked.fields.find((field) => field.name === name)

const isInstant = ({ schema }: AskedField): boolean => schema !== null && unitOf(schema) !== null

const sameValue = (a: AskedField, b: AskedField): boolean =>
  JSON.stringify(comparable(a.value, a.schema)) === JSON.stringify(comparable(b.value, b.schema))

function isSameDistance(a: AskedField, b: AskedField, apartMs: number): boolean {
  const unit = a.schema && unitOf(a.schema)
  const [one, other] = [a.value, b.value].map(Number) as [number, number]
  if (unit == null || Number.isNaN(one) || Number.isNaN(other)) return false
  const distance = (one - other) * (unit === 's' ? 1000 : 1)
  return Math.abs(distance - apartMs) <= PRESENT_TOLERANCE_MS
}

/** In what a number that is an instant counts; null for what is none. */
function unitOf(schema: TSchema): 'ms' | 's' | null {
  const unit = (schema['x-time'] ?? anyOf(schema, 'x-time')) as string | undefined
  if (unit === undefined || unit === 'iso' || unit === 'text') return null
  return unit.startsWith('s') && unit !== 'sOrMs' ? 's' : 'ms'
}

const anyOf = (schema: TSchema, keyword: string): unknown =>
  ((schema.anyOf ?? []) as TSchema[]).find((member) => member[keyword] !== undefined)?.[keyword]

/** A list of names is a set: its order says nothing, nor does one that is there twice. */
function comparable(value: unknown, schema: TSchema | null): unknown {
  const items = Array.isArray(value) ? value : listIn(value, schema)
  if (items) {
    const each = items.map((item) => lowerCase(item, schema))
    return isSet(schema) ? [...new Set(each.map((item) => JSON.stringify(item)))].sort() : each
  }
  return lowerCase(value, schema)
}

const listIn = (value: unknown, schema: TSchema | null): string[] | null =>
  typeof value === 'string' && schema?.['x-list'] ? value.split(schema['x-list']) : null

function isSet(schema: TSchema | null): boolean {
  if (!schema) return false
  if (schema['x-list'] || schema['x-repeat']) return true
  const items = schema.items as TSchema | undefined
  const meaning = items && meaningOf(items)
  return meaning === 'address' || meaning === 'coin' || meaning === 'symbol'
}

/** Addresses are the same in any case. */
const lowerCase = (value: unknown, schema: TSchema | null): unknown =>
  typeof value === 'string' && isAddress(schema) ? value.toLowerCase() : value

const isAddress = (schema: TSchema | null): boolean =>
  schema !== null &&
  (meaningOf(schema) === 'address' ||
    (schema.items !== undefined && meaningOf(schema.items as TSchema) === 'address'))
