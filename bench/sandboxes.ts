/**
 * Benchmark of sandboxes: time to create one, and memory of a thousand, in a process of its own.
 */
import { benchMarket } from './measure/bench-registry.ts'
import { row } from './measure/result-row.ts'

const COUNT = 1_000
const { registry } = await benchMarket(1)
// One-time costs are paid now.
await registry.create({ name: 'first' })
Bun.gc(true)
const beforeMb = process.memoryUsage.rss() / 2 ** 20

const tookMs: number[] = []
for (let n = 0; n < COUNT; n++) {
  const startMs = performance.now()
  await registry.create({ name: `bench-${n}` })
  tookMs.push(performance.now() - startMs)
}
const bareMs: number[] = []
const bare = new Map<string, object>()
for (let n = 0; n < COUNT; n++) {
  const startMs = performance.now()
  bare.set(`bench-${n}`, await Promise.resolve(structuredClone({ keys: [1, 2, 3, 4] })))
  bareMs.push(performance.now() - startMs)
}
const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
row({ name: 'making a sandbox, p50', value: median(tookMs), baseline: median(bareMs), unit: 'ms' })

Bun.gc(true)
const afterMb = process.memoryUsage.rss() / 2 ** 20
row({ name: `${COUNT} sandboxes, whole process`, value: afterMb, baseline: beforeMb, unit: 'MB' })
registry.close()
