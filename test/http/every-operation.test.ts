/**
 * Every operation over a real port, under the documented prefix and those of older clients, with
 * parameters from the contract and the cast alone; checked by an independent validator.
 */
import { expect, test } from 'bun:test'
import { filledExample, type TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { PREFIXES } from '../../src/contract/prefixes.ts'
import { operationsOf, schemaError, schemaOf } from '../fixtures/api-documents.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const { registry } = await recordedRegistry()
const { origin, control } = await serveRegistry(registry)
const inventory = (await control('GET', '/sandboxes/default/cast'))
  .body as unknown as TargetInventory
const [documented, ...older] = PREFIXES

test.each([documented, ...older])('all of %s', async (prefix) => {
  // An invite token is used up, a level is deleted: each turn creates them.
  await control('POST', '/sandboxes/default/reset')
  const flaws: string[] = []
  for (const { operationId, path, method, operation } of operationsOf()) {
    const declared = OPERATIONS.find(({ id }) => id === operationId)
    for (const example of declared?.examples ?? []) {
      if (!declared) continue
      const { path: parts, query, body } = filledExample(declared, example, inventory)
      const place = path
        .replace(documented, prefix)
        .replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parts?.[name] ?? ''))
      const key = declared.access.kind === 'distributor' ? 'demo-partner' : 'demo'
      const url = `${origin}${place}?${signed(key)}&${new URLSearchParams({ ...query })}`
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(url, { method, ...sent })
      const wrong = schemaError(
        schemaOf(operation.responses[answer.status])[0],
        await answer.json(),
      )
      if (wrong !== null || answer.status !== 200)
        flaws.push(`${operationId}, ${example.name}: ${answer.status} ${wrong}`)
    }
  }
  expect(flaws).toEqual([])
})
