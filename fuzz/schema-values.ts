/** Values that fit a schema, nearly fit it, or have nothing to do with it. */
import fc from 'fast-check'
import type { TSchema } from '../src/contract/schema.ts'

/** Texts that trip up programs, whatever they are of. */
const HOSTILE = [
  'toString',
  '__proto__',
  'constructor',
  '-1',
  '0',
  '1e309',
  'NaN',
  '%',
  '\u0000',
  '../../etc/passwd',
  "' or 1=1 --",
  '\ud800',
  '9'.repeat(400),
]

/** Everything that means something in a world, where it may be out of place. */
export function wordsOf(cast: object): string[] {
  const words = new Set<string>()
  JSON.stringify(cast, (_, value) => {
    if (typeof value === 'string' || typeof value === 'number') words.add(String(value))
    return value
  })
  return [...words, ...HOSTILE]
}

/** Text out of the world, out of the contract, or out of nowhere. */
export const junkOf = (words: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.integer().map(String),
    fc.double().map(String),
    fc.maxSafeInteger().map(String),
    fc.constantFrom('1m', '15m', '1h', '1d', '7d', '60d', 'BTC', 'all', 'true', 'desc'),
  )

/** Mostly what fits the schema, so that junk gets past the first check. */
export function fitting(schema: TSchema, junk: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as string[]))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema['x-span']) return fc.constantFrom(...(schema['x-span'] as string[]), '1h', '4h')
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as TSchema[]).map((one) => fitting(one, junk)))
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
      return fc.array(fitting(schema.items as TSchema, junk), { maxLength: 5 })
    case 'object':
      return objectOf(schema, junk)
    default:
      return junk
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

function objectOf(schema: TSchema, junk: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const fields = Object.entries((schema.properties ?? {}) as Record<string, TSchema>)
  if (fields.length === 0) return fc.dictionary(junk, junk, { maxKeys: 3 })
  return fc.record(
    Object.fromEntries(fields.map(([name, field]) => [name, fitting(field, junk)])),
    { requiredKeys: [] },
  )
}

/** The fields of a schema, each mostly fitting, any of them left out. */
export const fieldsFitting = (
  fields: readonly { name: string; schema: TSchema }[],
  junk: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      fields.map(({ name, schema }) => [
        name,
        fc.oneof({ weight: 4, arbitrary: fitting(schema, junk) }, junk),
      ]),
    ),
    { requiredKeys: [] },
  )
