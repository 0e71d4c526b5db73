/** No input of a client makes the service fail: generated junk, at every operation. */
import { test } from 'bun:test'
import fc from 'fast-check'
import { fieldsFitting } from '../../bench/fuzz/schema-values.ts'
import { type Vocabulary, vocabularyOf } from '../../bench/fuzz/vocabulary.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { parametersOf } from '../../src/contract/parameters.ts'
import { operationPath } from '../../src/contract/paths.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

/** `bun run fuzz` runs as many as one likes. */
const RUNS = 10
const SEED = 20_260_115

const ready = recordedRegistry().then(({ registry, cast }) => ({
  transport: memoryTransport(registry),
  words: vocabularyOf(cast()),
}))

function askOf(operation: Operation, words: Vocabulary) {
  const part = (place: string) =>
    fieldsFitting(
      parametersOf(operation).filter((parameter) => parameter.place === place),
      words,
    )
  const body = operation.params.body
    ? fc.oneof(
        { weight: 4, arbitrary: part('body').map((value) => JSON.stringify(value)) },
        fc.json(),
        words.junk,
      )
    : fc.constant('')
  return fc.record({ path: part('path'), query: part('query'), body })
}

test.each(OPERATIONS.map((operation) => ({ operation, id: operation.id })))(
  '$id answers junk with an answer or a refusal, never with a fault',
  async ({ operation }) => {
    const { transport, words } = await ready
    const at = operationPath(operation)
    fc.assert(
      fc.property(askOf(operation, words), ({ path, query, body }) => {
        const filled = at.replace(/:(\w+)/g, (_, name) =>
          encodeURIComponent(String((path as Record<string, unknown>)[name] ?? 'x').toWellFormed()),
        )
        const all = new URLSearchParams(
          Object.entries(query).map(([name, value]) => [name, String(value)] as [string, string]),
        )
        const answer = transport.request(operation.method, `${filled}?${signed()}&${all}`, body)
        JSON.parse(answer.body)
        return [200, 400, 404].includes(answer.status)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  },
)
