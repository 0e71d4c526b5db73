/**
 * Reads parameters by their schema: text becomes numbers, defaults are filled in, values over a
 * limit are cut silently, and invalid ones are refused with the parameter's name.
 */
import { TypeCompiler, ValueErrorType } from '@sinclair/typebox/compiler'
import { expectedFor } from './expected-text.ts'
import type { Refusal } from './refusal.ts'
import type { TObject, TSchema } from './schema.ts'

/**
 * Reads parameters from text: a path or a query string. Of a repeated name the first counts, or all
 * of them where the schema allows it (`x-repeat`).
 */
export function readTextParameters(
  schema: TObject,
  given: Readonly<Record<string, GivenText>>,
): Record<string, unknown> | Refusal<'missing' | 'invalid'> {
  const read: Record<string, unknown> = {}
  for (const field of parameterFields(schema)) {
    const text = textOf(field, given)
    // Many clients send an empty value for an absent parameter.
    if (text === undefined || text === '') {
      if (field.required) return { refused: 'missing', parameter: field.name }
      if (field.schema.default !== undefined) read[field.name] = field.schema.default
      continue
    }
    const value = readText(field.schema, text)
    if (value === undefined) return invalidRefusal(field.name, field.schema, text)
    read[field.name] = value
  }
  return read
}

type GivenText = string | readonly string[] | undefined

function textOf({ names, schema }: ParameterField, given: Readonly<Record<string, GivenText>>) {
  const found = names.map((name) => given[name]).find((value) => value !== undefined)
  if (typeof found !== 'object') return found
  return schema['x-repeat'] ? found.join(schema['x-list']) : found[0]
}

/** The parameters of a schema in each accepted spelling, with their documented names. */
export function parameterNames(schema: TObject): ReadonlyMap<string, string> {
  let names = namesOf.get(schema)
  if (names === undefined) {
    const pairs = parameterFields(schema).flatMap(({ name, names }) =>
      names.map((one) => [one, name]),
    )
    names = new Map(pairs as [string, string][])
    namesOf.set(schema, names)
  }
  return names
}

const namesOf = new WeakMap<TObject, ReadonlyMap<string, string>>()

/** Whether a parameter may be repeated. */
export const hasRepeatable = (schema: TObject): boolean =>
  parameterFields(schema).some((field) => field.schema['x-repeat'])

/**
 * Reads a parsed JSON body. Undeclared fields are left out.
 *
 * @param nulls whether null means an absent field, or is a value like any other
 */
export function readBody(schema: TSchema, given: unknown, nulls: Nulls = 'leftOut'): unknown {
  if (schema.type !== 'object') return given
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { refused: 'body', expected: 'a JSON object' } satisfies Refusal
  return readFields(schema as TObject, given, nulls)
}

type Nulls = 'leftOut' | 'values'

/** Reads the fields of a JSON object, by their names. */
export function readFields(
  schema: TObject,
  given: object,
  nulls: Nulls = 'leftOut',
): Fields | Refusal<'missing' | 'invalid'> {
  // No field of the service is called `refused`, which marks a refusal in the result.
  const { refused: _, ...others } = given as Record<string, unknown>
  const read: Fields = schema.additionalProperties === true ? others : {}
  for (const field of parameterFields(schema)) {
    const name = field.names.find((candidate) => candidate in given)
    const sent = name === undefined ? undefined : (given as Record<string, unknown>)[name]
    const value = nulls === 'leftOut' && isLeftOut(field, sent) ? undefined : sent
    if (value === undefined) {
      delete read[field.name]
      if (field.required) return { refused: 'missing', parameter: field.name }
      if (field.schema.default !== undefined) read[field.name] = field.schema.default
      continue
    }
    const kept = cutToLimit(field.schema, value)
    const wrong = flawPath(field.schema, kept)
    if (wrong?.isMissing) return { refused: 'missing', parameter: field.name + wrong.path }
    if (wrong) {
      const { path } = wrong
      return invalidRefusal(field.name + path, innerOf(field.schema, path), partOf(kept, path))
    }
    read[field.name] = kept
  }
  return read
}

/** Many clients send null for an absent field. */
const isLeftOut = ({ required, schema }: ParameterField, value: unknown): boolean =>
  value === null && !required && flawPath(schema, null) !== null

type Fields = Record<string, unknown> & { refused?: never }

interface ParameterField {
  name: string
  /** The name and the other spellings that clients send. */
  names: string[]
  schema: TSchema
  required: boolean
}

const fields = new WeakMap<TObject, ParameterField[]>()

/** The parameters of a schema with their accepted spellings. */
export function parameterFields(schema: TObject): ParameterField[] {
  const known = fields.get(schema)
  if (known) return known
  const required = new Set(schema.required ?? [])
  const made = Object.entries(schema.properties).map(([name, field]) => ({
    name,
    names: [name, ...((field['x-alias'] as string[] | undefined) ?? [])],
    schema: field,
    required: required.has(name) && field.default === undefined,
  }))
  fields.set(schema, made)
  return made
}

/** undefined when the text is invalid. */
function readText(schema: TSchema, text: string): unknown {
  switch (schema.type) {
    case 'integer':
      return /^-?\d+$/.test(text) ? checked(schema, cutToLimit(schema, Number(text))) : undefined
    case 'number':
      return /^-?\d+(\.\d+)?(e-?\d+)?$/i.test(text)
        ? checked(schema, cutToLimit(schema, Number(text)))
        : undefined
    case 'boolean':
      return text === 'true' || text === '1'
        ? true
        : text === 'false' || text === '0'
          ? false
          : undefined
    case 'string':
      return checked(schema, cutToLimit(schema, text))
    case 'array':
      return readList(schema, text)
  }
  const members = (schema.anyOf ?? []) as TSchema[]
  return members.map((member) => readText(member, text)).find((value) => value !== undefined)
}

function readList(schema: TSchema, text: string): unknown {
  const parts = text.split(schema['x-list'] ?? ',').filter((part) => part.trim() !== '')
  const kept = cutToLimit(schema, parts) as string[]
  const read = kept.map((part) => readText(schema.items as TSchema, part.trim()))
  return read.includes(undefined) ? undefined : checked(schema, read)
}

function checked(schema: TSchema, value: unknown): unknown {
  return flawPath(schema, value) === null ? value : undefined
}

/** Cuts what is over the schema's `x-cut`: a number, a list, or a comma-separated text. */
function cutToLimit(schema: TSchema, value: unknown): unknown {
  const most = schema['x-cut'] as number | undefined
  if (typeof value === 'number')
    return Math.max(-NUMBER_MAX, Math.min(value, most ?? NUMBER_MAX, NUMBER_MAX))
  if (isLongInstant(schema, value)) return String(Math.min(Number(value), NUMBER_MAX))
  if (most === undefined) return value
  if (Array.isArray(value)) return value.slice(0, most)
  if (typeof value === 'string' && schema['x-list'])
    return value.split(schema['x-list']).slice(0, most).join(schema['x-list'])
  return value
}

/** Whether a sent value is cut silently: as text or as JSON, before it is read. */
export function exceedsCut(schema: TSchema, sent: unknown): boolean {
  const most = schema['x-cut'] as number
  if (Array.isArray(sent)) return sent.length > most
  if (schema.type === 'integer' || schema.type === 'number') return Number(sent) > most
  return typeof sent === 'string' && sent.split(schema['x-list'] ?? ',').length > most
}

/**
 * A larger number counts as this one. No value of the service is as large, it is exact, and it is a
 * valid date.
 */
const NUMBER_MAX = 999_999_999_999_999

/** An instant as text, with more digits than the largest number. */
const isLongInstant = ({ 'x-time': unit }: TSchema, value: unknown): boolean =>
  (unit === 'msDigits' || unit === 'sDigits') && /^\d{16,}$/.test(value as string)

const checks = new WeakMap<TSchema, ReturnType<typeof TypeCompiler.Compile>>()

/** An invalid part: its path, which is empty for the value itself. */
interface Flaw {
  path: string
  isMissing: boolean
}

/** null when the value is valid. */
function flawPath(schema: TSchema, value: unknown): Flaw | null {
  let check = checks.get(schema)
  if (!check) {
    check = TypeCompiler.Compile(schema)
    checks.set(schema, check)
  }
  if (check.Check(value)) return null
  const first = check.Errors(value).First()
  const path = first?.path.replaceAll('/', '.') ?? ''
  return { path, isMissing: first?.type === ValueErrorType.ObjectRequiredProperty }
}

function invalidRefusal(parameter: string, schema: TSchema, value: unknown): Refusal<'invalid'> {
  return { refused: 'invalid', parameter, expected: expectedFor(schema, value) }
}

/** The schema of a part, by its path: `.0.op` is the `op` of the first item. */
function innerOf(schema: TSchema, path: string): TSchema {
  let inner = schema
  for (const name of path.split('.').slice(1)) {
    const next = inner.type === 'array' ? inner.items : inner.properties?.[name]
    if (next === undefined) break
    inner = next
  }
  return inner
}

/** The part of a value, by its path. */
function partOf(value: unknown, path: string): unknown {
  const names = path.split('.').slice(1)
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown>)?.[name], value)
}
