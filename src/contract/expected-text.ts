/** The valid values of a parameter, as text. */
import type { TSchema } from './schema.ts'

/** The valid values in place of a wrong one; for one too long, its maximum and actual length. */
export function expectedFor(schema: TSchema, value: unknown): string {
  const words = expectedText(schema)
  if (typeof value !== 'string' || !(value.length > schema.maxLength)) return words
  return `${words}, not ${schema['x-form'] ? '' : 'of '}${value.length}`
}

/** The valid values. */
export function expectedText(schema: TSchema): string {
  const choices = choicesIn(schema)
  if (choices.length > 1) return `one of ${choices.map(String).join(', ')}`
  if (schema.type === 'integer' && schema.maximum === schema.minimum + 1)
    return `one of ${schema.minimum}, ${schema.maximum}`
  if (schema['x-span']) return `a span such as 15m, from ${schema['x-span'].join(' to ')}`
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return (schema.anyOf as TSchema[]).map(expectedText).join(' or ')
  if (schema.type === 'array') {
    const most = schema.maxItems === undefined ? '' : ` of at most ${schema.maxItems}`
    return `an array${most}, each item ${expectedText(schema.items)}`
  }
  if (schema.type === 'string') return textWording(schema)
  const kind = KINDS[schema.type as string] ?? 'of the documented form'
  if (schema.exclusiveMinimum !== undefined) return `${kind} above ${schema.exclusiveMinimum}`
  if (schema.minimum !== undefined && schema.maximum !== undefined)
    return `${kind} from ${schema.minimum} to ${schema.maximum}`
  return schema.minimum === undefined ? kind : `${kind}, ${schema.minimum} or more`
}

/** The values that a schema lists, in any form; none where it allows others as well. */
export function choicesIn({ enum: words, anyOf }: TSchema): readonly unknown[] {
  if (words) return words
  const members = ((anyOf ?? []) as TSchema[]).map((one) =>
    one.type === 'null' ? null : one.const,
  )
  return members.includes(undefined) ? [] : members
}

function textWording(schema: TSchema): string {
  const { minLength = 0, maxLength, pattern } = schema
  const time = TIMES[schema['x-time'] as string]
  if (time !== undefined) return time
  if (pattern?.includes('{40}')) return 'an address: 0x and 40 hexadecimal digits'
  if (pattern?.startsWith('^-?\\d+(')) return 'a decimal number'
  const form = schema['x-form'] as string | undefined
  if (maxLength === undefined) return form ?? 'text'
  const range = `${minLength} to ${maxLength}`
  return form ? `${range} ${form}` : `text of ${range} characters`
}

const KINDS: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  null: 'null',
}

const TIMES: Record<string, string> = {
  msDigits: 'a time in whole milliseconds since 1970, as digits',
  sDigits: 'a time in whole seconds since 1970, as digits',
  iso: 'a time in ISO 8601, UTC',
  text: 'a time such as 2026-01-15 12:00:29, UTC',
}
