/**
 * Benchmark of the heaviest operations on the default world while it plays, with other parameters
 * each time: the 99th percentile, against signed reads of a page of fills. Also the first search of
 * a process, and a batch of 2,000 accounts against 2,000 requests. Of each operation's first
 * request the longest slice is measured, which other requests wait for.
 */
import { tradersOf } from '../src/market/rows/traders.ts'
import { benchMarket } from './measure/bench-registry.ts'
import { type BenchRequest, testedOperations } from './measure/operation-requests.ts'
import { row } from './measure/result-row.ts'
import { timedRequest } from './measure/sliced-requests.ts'

/** Time for a server to read ahead. */
const WARM_MS = 1_000
const TIMES = 200
/** Number of requests to find the slowest. */
const REPEATS = 50
const SLOWEST = 16
/** Number of rows of single operations. */
const SHOWN = 8
const FIRSTS_SHOWN = 3
const { registry, address, sandbox, world } = await benchMarket(50, { speed: 20 })
const inventory = sandbox.world.cast(sandbox.facts().moment) as Parameters<
  typeof testedOperations
>[0]
const addresses = tradersOf(world).list.map((one) => one.address)

function pick<T>(from: readonly T[], n: number): T {
  return from[n % from.length] as T
}

const ask = (request: BenchRequest): number => timedRequest(registry, request).tookMs

const COLUMNS = ['totalPnl', 'winRate', 'sharpe', 'snapTotalValue', 'ddDrawdown', 'avgLeverage']
const DAYS = [1, 7, 30, 0]

const search = (n: number): BenchRequest => ({
  method: 'POST',
  path: '/hl/traders/discover',
  body: {
    pageNum: 1 + (n % 3),
    pageSize: 25,
    period: pick(DAYS, n),
    sort: { field: pick(COLUMNS, n), dir: 'desc' },
    loadPnls: true,
    loadTags: true,
    filters: [{ field: pick(COLUMNS, n + 1), op: '>', val: n % 7 }],
    coins: [pick(inventory.coins, n)],
  },
})
const fills = (n: number): BenchRequest => ({
  method: 'GET',
  path: `/hl/fills/${address}?limit=${50 + (n % 50)}`,
  body: undefined,
})

/** Time passes between requests, so that no two have the same moment. */
async function p99(requestOf: (n: number) => BenchRequest, times = TIMES): Promise<number> {
  const timesMs: number[] = []
  for (let n = 0; n < times; n++) {
    timesMs.push(ask(requestOf(n)))
    await Bun.sleep(1)
  }
  return timesMs.sort((a, b) => a - b)[Math.floor(times * 0.99)] ?? 0
}

await Bun.sleep(WARM_MS)
const firstMs = ask(search(0))
const baseline = await p99(fills)
const name = 'traders/discover with filters'
row({ name: `${name}, first of a process`, value: firstMs, baseline, unit: 'ms' })
row({ name: `${name}, p99`, value: await p99(search), baseline, unit: 'ms' })

interface Found {
  name: string
  value: number
}
const byDuration = (a: Found, b: Found) => b.value - a.value

const firsts: Found[] = []
const measured: (Found & { request: (n: number) => BenchRequest })[] = []
for (const { name, request } of testedOperations(inventory, addresses)) {
  firsts.push({ name, value: timedRequest(registry, request(0)).longestMs })
  measured.push({ name, request, value: await p99(request, REPEATS) })
}
firsts.sort(byDuration)
const slowest: Found[] = []
for (const { name, request } of measured.toSorted(byDuration).slice(0, SLOWEST))
  slowest.push({ name, value: await p99(request) })
slowest.sort(byDuration)
row({
  name: `slowest of all ${measured.length} operations and types, p99`,
  value: slowest[0]?.value ?? 0,
  baseline,
  unit: 'ms',
})
for (const { name, value } of slowest.slice(0, SHOWN))
  row({ name: `${name}, p99`, value, baseline, unit: 'ms' })

for (const { name, value } of firsts.slice(0, FIRSTS_SHOWN))
  row({ name: `${name}, longest piece of the first`, value, baseline, unit: 'ms' })

/** More than exist: they repeat. */
const batch = Array.from({ length: 2_000 }, (_, at) => pick(addresses, at))
for (const kind of ['clearinghouse-state', 'spot-clearinghouse-state']) {
  const requested = (some: string[]): BenchRequest => ({
    method: 'POST',
    path: `/hl/traders/${kind}`,
    body: { addresses: some },
  })
  for (const one of addresses) ask(requested([one]))
  const [first, again] = [ask(requested(batch)), ask(requested(batch))]
  const singles = batch.reduce((sum, one) => sum + ask(requested([one])), 0)
  row({ name: `${kind}, 2,000 at once, first`, value: first, baseline: singles, unit: 'ms' })
  row({ name: `${kind}, 2,000 at once, again`, value: again, baseline: singles, unit: 'ms' })
}
registry.close()
