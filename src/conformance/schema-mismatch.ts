/** Whether values are what declarations say. */

import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import type { Envelope } from '../contract/envelope.ts'
import type { TimeUnit, TSchema } from '../contract/schema.ts'
import { isJsonObject, type JsonObject } from './parsed-json.ts'

// Times that are not in their declared unit or form: a schema alone does not see that.

/** Where a time is not what its schema declares; null when each is. */
const timeMismatch = (schema: TSchema, value: unknown): string | null =>
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

/** Where and how a value is not of its schema, or a time not of its unit; null when all is. */
export function schemaMismatch(schema: TSchema, value: unknown): string | null {
  // To look for what is wrong takes many times as long as to see that nothing is.
  const error = Value.Check(schema, value) ? undefined : Value.Errors(schema, value).First()
  if (!error) return timeMismatch(schema, value)
  const { path, message, value: found } = deepest(error)
  const shown = JSON.stringify(found)?.slice(0, 120) ?? 'nothing'
  return `data${path.replaceAll('/', '.')}: ${message.toLowerCase()}, found ${shown}`
}

/**
 * The object in which a value is not of its schema, as it should be and as it is; null when it is
 * of it, or when no object is around.
 */
export function schemaDifference(
  schema: TSchema,
  value: unknown,
): { expected: unknown; found: unknown } | null {
  const error = Value.Check(schema, value) ? undefined : Value.Errors(schema, value).First()
  if (!error) return null
  const { path, schema: wanted, type } = deepest(error)
  const names = path.split('/').slice(1)
  const last = names.pop() ?? ''
  const around = names.reduce<unknown>((at, name) => (at as JsonObject)?.[name], value)
  if (!isJsonObject(around)) return { expected: wantedText(wanted), found: value ?? null }
  const { [last]: _, ...others } = around
  const isTooMuch = type === ValueErrorType.ObjectAdditionalProperties
  const expected = isTooMuch ? others : { ...around, [last]: wantedText(wanted) }
  return { expected, found: around }
}

/** What a schema asks for, in short. */
function wantedText({
  type,
  const: one,
  enum: words,
  anyOf,
  pattern,
  description,
}: TSchema): string {
  const name =
    one !== undefined || words
      ? ((words as unknown[] | undefined) ?? [one]).map((word) => JSON.stringify(word)).join(' or ')
      : anyOf
        ? (anyOf as TSchema[]).map(wantedText).join(' or ')
        : (type ?? 'anything')
  const about = [description, pattern].find((text) => typeof text === 'string')
  return about === undefined || anyOf ? `(${name})` : `(${name}: ${about})`
}

/** Of a union no branch fits: the one that lacks least is meant, and its first flaw told. */
function deepest(error: ValueError): ValueError {
  const branches = error.errors.map((all) => [...all])
  const [nearest] = branches.sort((a, b) => a.length - b.length || depthOf(b) - depthOf(a))
  const inner = nearest?.[0] ? deepest(nearest[0]) : error
  return inner.path.length > error.path.length ? inner : error
}

const depthOf = ([first]: readonly ValueError[]): number => first?.path.split('/').length ?? 0

/** What is wrong with the wrapping of a successful answer; null when nothing is. */
export function envelopeMismatch(envelope: Envelope, json: unknown): string | null {
  if (envelope.kind === 'bare') return null
  if (!isJsonObject(json)) return 'the answer is a JSON object'
  for (const [name, value] of Object.entries(expectedFields(envelope))) {
    if (!(name in json)) return `envelope ${envelope.kind} has the field ${name}`
    const [right, found] = [JSON.stringify(value), JSON.stringify(json[name])]
    if (value !== ANY && json[name] !== value)
      return `${name} of envelope ${envelope.kind} is ${right}, not ${found}`
  }
  return null
}

const ANY = Symbol('any')

function expectedFields(envelope: Exclude<Envelope, { kind: 'bare' }>): Record<string, unknown> {
  switch (envelope.kind) {
    case 'A':
      return { success: true, errorCode: 200, error: '', data: ANY }
    case 'B':
      return { code: envelope.code, [envelope.text]: ANY, data: ANY }
    case 'C':
      return {
        success: true,
        ...(envelope.data ? { data: ANY } : {}),
        ...(envelope.message === null ? {} : { message: ANY }),
      }
  }
}
