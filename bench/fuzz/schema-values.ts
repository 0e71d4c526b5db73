/** Values that match a schema, nearly match it, or are unrelated. */
import fc from 'fast-check'
import type { TSchema } from '../../src/contract/schema.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Mostly matching values, so that input passes the first check. */
export function fitting(schema: TSchema, words: Vocabulary): fc.Arbitrary<unknown> {
  const known = words.known(schema)
  if (known.length === 0) return typed(schema, words)
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: typed(schema, words) },
  )
}

function typed(schema: TSchema, words: Vocabulary): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as string[]))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema['x-span']) return fc.constantFrom(...(schema['x-span'] as string[]), '1h', '4h')
  if (schema.anyOf)
    return fc.oneof(...(schema.anyOf as TSchema[]).map((one) => fitting(one, words)))
  switch (schema.type) {
    case 'integer':
      return integerOf(schema)
    case 'number':
      return fc.oneof(
        integerOf(schema),
        fc.double({ noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
      )
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(fitting(schema.items as TSchema, words), { maxLength: 5 })
    case 'object':
      return objectOf(schema, words)
    default:
      return words.junk
  }
}

function integerOf({ minimum, maximum }: TSchema): fc.Arbitrary<number> {
  const [least, most] = [minimum as number | undefined, maximum as number | undefined]
  const atBounds = [least, most].flatMap((one) =>
    one === undefined ? [] : [one - 1, one, one + 1],
  )
  return fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: -1, max: 3000 }) },
    { weight: 1, arbitrary: fc.maxSafeInteger() },
    ...(atBounds.length > 0 ? [{ weight: 2, arbitrary: fc.constantFrom(...atBounds) }] : []),
  )
}

function objectOf(schema: TSchema, words: Vocabulary): fc.Arbitrary<unknown> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  if (fields.length === 0) return fc.dictionary(words.junk, words.junk, { maxKeys: 3 })
  const required = (schema.required as string[] | undefined) ?? []
  const values = Object.fromEntries(fields.map(([name, field]) => [name, fitting(field, words)]))
  return fc.oneof(
    { weight: 3, arbitrary: fc.record(values, { requiredKeys: required }) },
    fc.record(values, { requiredKeys: [] }),
  )
}

/** Fields by their schemas, mostly matching; required ones are mostly present. */
export function fieldsFitting(
  fields: readonly { name: string; schema: TSchema; required?: boolean }[],
  words: Vocabulary,
): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.fromEntries(
    fields.map(({ name, schema }) => [
      name,
      fc.oneof({ weight: 6, arbitrary: fitting(schema, words) }, words.junk),
    ]),
  )
  const required = fields.filter((field) => field.required).map(({ name }) => name)
  return fc.oneof(
    { weight: 4, arbitrary: fc.record(values, { requiredKeys: required }) },
    fc.record(values, { requiredKeys: [] }),
  )
}
