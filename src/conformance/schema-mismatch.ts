/** Whether values are what declarations say. */
import { Value, type ValueError, ValueErrorType } from '@sinclair/typebox/value'
import type { Envelope } from '../contract/envelope.ts'
import type { TSchema } from '../contract/schema.ts'
import { timeMismatch } from './declared-times.ts'
import { isJsonObject, type JsonObject } from './parsed-json.ts'

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

/** Of a union no branch fits: the flaw that lies deepest says most. */
function deepest(error: ValueError): ValueError {
  const inner = error.errors.flatMap((all) => [...all]).map(deepest)
  const longest = inner.sort((a, b) => b.path.length - a.path.length)[0]
  return longest && longest.path.length > error.path.length ? longest : error
}

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
