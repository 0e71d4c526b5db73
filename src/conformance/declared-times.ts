/** Times that are not in their declared unit or form: a schema alone does not see that. */
import { Value } from '@sinclair/typebox/value'
import type { TimeUnit, TSchema } from '../contract/schema.ts'
import { isJsonObject } from './parsed-json.ts'

/** Where a time is not what its schema declares; null when each is. */
export const timeMismatch = (schema: TSchema, value: unknown): string | null =>
  lookOf(schema)?.(value, 'data') ?? null

/** What is wrong with the times of a value. */
type Look = (value: unknown, path: string) => string | null

const looks = new WeakMap<TSchema, Look | null>()

/** Made once for each schema: null for what holds no time, which is most of an answer. */
function lookOf(schema: TSchema): Look | null {
  const known = looks.get(schema)
  if (known !== undefined) return known
  const made = newLook(schema)
  looks.set(schema, made)
  return made
}

function newLook(schema: TSchema): Look | null {
  const unit = schema['x-time'] as TimeUnit | undefined
  if (unit !== undefined) return (value, path) => flawOf(unit, value, path)
  if (schema.anyOf) return unionLook(schema.anyOf as TSchema[])
  if (schema.items) return listLook(schema.items as TSchema | TSchema[])
  return fieldsLook(Object.entries((schema.properties ?? {}) as Record<string, TSchema>))
}

function unionLook(branches: readonly TSchema[]): Look | null {
  if (branches.every((branch) => lookOf(branch) === null)) return null
  return (value, path) => {
    const fitting = branches.filter((branch) => Value.Check(branch, value))
    const flaws = fitting.map((branch) => lookOf(branch)?.(value, path) ?? null)
    return flaws.includes(null) ? null : (flaws[0] ?? null)
  }
}

function listLook(items: TSchema | readonly TSchema[]): Look | null {
  const lookAt = (at: number) => {
    const schema = Array.isArray(items) ? items[at] : items
    return schema ? lookOf(schema) : null
  }
  if ([items].flat().every((item) => lookOf(item) === null)) return null
  return (value, path) => {
    if (!Array.isArray(value)) return null
    for (const [at, item] of value.entries()) {
      const flaw = lookAt(at)?.(item, `${path}.${at}`) ?? null
      if (flaw !== null) return flaw
    }
    return null
  }
}

function fieldsLook(fields: readonly [name: string, TSchema][]): Look | null {
  const timed = fields.flatMap(([name, field]) => {
    const look = lookOf(field)
    return look ? [{ name, look }] : []
  })
  if (timed.length === 0) return null
  return (value, path) => {
    if (!isJsonObject(value)) return null
    for (const { name, look } of timed) {
      const flaw = look(value[name], `${path}.${name}`)
      if (flaw !== null) return flaw
    }
    return null
  }
}

/** The years in which a service can be asked, in s. */
const [FROM_S, TO_S] = [946_684_800, 4_102_444_800]

/** What is not there yet is 0, or empty. */
function flawOf(unit: TimeUnit, value: unknown, path: string): string | null {
  if (value === null || value === undefined || value === 0 || value === '' || value === '0')
    return null
  return FITS[unit](value)
    ? null
    : `${path}: expected ${WORDS[unit]}, found ${JSON.stringify(value)}`
}

const isWithin = (value: unknown, perS: number): boolean =>
  Number(value) >= FROM_S * perS && Number(value) < TO_S * perS
const isTextOf = (value: unknown, form: RegExp): boolean =>
  typeof value === 'string' && form.test(value)

const FITS: Record<TimeUnit, (value: unknown) => boolean> = {
  ms: (value) => isWithin(value, 1000),
  s: (value) => isWithin(value, 1),
  sOrMs: (value) => isWithin(value, 1000) || isWithin(value, 1),
  msDigits: (value) => isWithin(value, 1000),
  sDigits: (value) => isWithin(value, 1),
  iso: (value) => isTextOf(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/),
  text: (value) => isTextOf(value, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
}

const WORDS: Record<TimeUnit, string> = {
  ms: 'a time in milliseconds',
  s: 'a time in seconds',
  sOrMs: 'a time in seconds or milliseconds',
  msDigits: 'a time in milliseconds',
  sDigits: 'a time in seconds',
  iso: 'a time as ISO 8601 writes it',
  text: 'a time as YYYY-MM-DD HH:mm:ss',
}
