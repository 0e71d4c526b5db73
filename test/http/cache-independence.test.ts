/** Caches change speed only, never answers. */
import { expect, spyOn, test } from 'bun:test'
import { LRUCache } from 'lru-cache'
import { filledExample, type TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { PREFIXES } from '../../src/contract/prefixes.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { ownRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'

test('no answer depends on evicted entries', async () => {
  const remembering = await answers()
  let count = 0
  const { set } = LRUCache.prototype
  const forgetful = spyOn(LRUCache.prototype, 'set').mockImplementation(function (
    this: LRUCache<object, object>,
    ...args: Parameters<typeof set>
  ) {
    return count++ % 3 === 0 ? this : set.apply(this, args)
  })
  const forgetting = await answers()
  forgetful.mockRestore()
  expect(count).toBeGreaterThan(10_000)
  expect(forgetting).toEqual(remembering)
})

/** The answers to every example of a reading operation, on a world with cold caches. */
async function answers(): Promise<Record<string, string>> {
  const { registry, cast } = await ownRegistry()
  const inventory = cast() as unknown as TargetInventory
  const { request } = memoryTransport(registry)
  const reading = OPERATIONS.filter(
    ({ method, access }) => method === 'GET' && access.kind !== 'distributor',
  )
  return Object.fromEntries(
    reading.flatMap((operation) =>
      operation.examples.map((example) => [
        `${operation.id}, ${example.name}`,
        request('GET', placeOf(operation, example, inventory)).body,
      ]),
    ),
  )
}

function placeOf(
  operation: Operation,
  example: Operation['examples'][number],
  inventory: TargetInventory,
) {
  const { path, query } = filledExample(operation, example, inventory)
  const place = operation.path.replace(/:(\w+)/g, (_, name) =>
    encodeURIComponent(path?.[name] ?? ''),
  )
  return `${PREFIXES[0]}${place}?${signed()}&${new URLSearchParams({ ...query })}`
}
