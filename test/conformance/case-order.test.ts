import { expect, test } from 'bun:test'
import { casesNamed } from '../../src/conformance/conform.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

const { target, transport } = await memoryTarget()

test('a seed shuffles the cases, and results keep their order', async () => {
  const run = async (seed: number) => {
    const order: string[] = []
    const results = await runCases(casesNamed(['coin.', 'index.', 'access.coin']), {
      target,
      transport,
      systemClock: futureSigning,
      nonce: `order-${seed}`,
      concurrency: 1,
      seed,
      onResult: ({ id }) => order.push(id),
    })
    return { order, ids: results.map(({ id }) => id) }
  }
  const [one, again, other] = [await run(1), await run(1), await run(2)]
  expect(again.order).toEqual(one.order)
  expect(other.order).not.toEqual(one.order)
  expect(other.ids).toEqual(one.ids)
  expect(one.order.toSorted()).toEqual(one.ids.toSorted())
})
