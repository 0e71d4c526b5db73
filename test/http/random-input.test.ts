/** Nothing that a client can send makes the service fail: generated junk, at every operation. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { OPERATIONS } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { parametersOf } from '../../src/contract/parameters.ts'
import { prefixedPaths } from '../../src/contract/paths.ts'
import type { TSchema } from '../../src/contract/schema.ts'
import { memoryTransport } from '../../src/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

const RUNS = 60
const SEED = 20_260_115

const ready = recordedRegistry().then(({ registry, cast }) => ({
  transport: memoryTransport(registry),
  words: wordsOf(cast()),
}))

/** Everything that means something in this world, where it may be out of place. */
function wordsOf(cast: object): string[] {
  const words = new Set<string>()
  JSON.stringify(cast, (_, value) => {
    if (typeof value === 'string' || typeof value === 'number') words.add(String(value))
    return value
  })
  return [
    ...words,
    'toString',
    '__proto__',
    'constructor',
    '-1',
    '0',
    '1e309',
    'NaN',
    '%',
    '\u0000',
  ]
}

const randomInputOf = (words: string[]) =>
  fc.oneof(
    fc.constantFrom(...words),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.integer().map(String),
    fc.double().map(String),
    fc.maxSafeInteger().map(String),
    fc.constantFrom('1m', '15m', '1h', '1d', '7d', '60d', 'BTC', 'all', 'true', 'desc'),
  )

/** Mostly what fits the schema, so that junk gets past the first check. */
function fitting(schema: TSchema, junk: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as string[]))
  if (schema['x-span']) return fc.constantFrom(...(schema['x-span'] as string[]), '1h', '4h')
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as TSchema[]).map((one) => fitting(one, junk)))
  switch (schema.type) {
    case 'integer':
      return fc.oneof(fc.integer({ min: -1, max: 3000 }), fc.maxSafeInteger())
    case 'number':
      return fc.oneof(fc.double({ noNaN: true }), fc.integer({ min: 0, max: 100 }))
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(fitting(schema.items as TSchema, junk), { maxLength: 5 })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, field]) => [
            name,
            fitting(field as TSchema, junk),
          ]),
        ),
        { requiredKeys: [] },
      )
    default:
      return junk
  }
}

function askOf(operation: Operation, words: string[]) {
  const junk = randomInputOf(words)
  const part = (place: string) =>
    fc.record(
      Object.fromEntries(
        parametersOf(operation)
          .filter((parameter) => parameter.place === place)
          .map(({ name, schema }) => [
            name,
            fc.oneof({ weight: 4, arbitrary: fitting(schema, junk) }, junk),
          ]),
      ),
      { requiredKeys: [] },
    )
  const body = operation.params.body
    ? fc.oneof(
        { weight: 4, arbitrary: part('body').map((value) => JSON.stringify(value)) },
        fc.json(),
        junk,
      )
    : fc.constant('')
  return fc.record({ path: part('path'), query: part('query'), body })
}

test.each(OPERATIONS.map((operation) => ({ operation, id: operation.id })))(
  '$id answers junk with an answer or a refusal, never with a fault',
  async ({ operation }) => {
    const { transport, words } = await ready
    const [at = ''] = prefixedPaths([operation.path])
    fc.assert(
      fc.property(askOf(operation, words), ({ path, query, body }) => {
        const filled = at.replace(/:(\w+)/g, (_, name) =>
          encodeURIComponent(String((path as Record<string, unknown>)[name] ?? 'x').toWellFormed()),
        )
        const all = new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
        )
        const answer = transport.request(operation.method, `${filled}?${signed()}&${all}`, body)
        expect([200, 400, 404]).toContain(answer.status)
        expect(() => JSON.parse(answer.body)).not.toThrow()
      }),
      { numRuns: RUNS, seed: SEED },
    )
  },
)
