/**
 * The heaviest operations on the default world while it plays, each time with other parameters:
 * 99 of 100 are faster than this, against signed reads of a page of fills. The first search of a
 * process reads what all searches need, and has a row of its own.
 */
import { credentials } from '../src/contract/signature.ts'
import { memoryTransport } from '../src/transport/memory/memory-transport.ts'
import { benchMarket } from './measure/bench-registry.ts'
import { row } from './measure/result-row.ts'

const TIMES = 400
const { registry, address, sandbox } = await benchMarket(50, { speed: 20 })
const { request } = memoryTransport(registry)
const { coins } = sandbox.world.cast(sandbox.facts().moment) as { coins: string[] }

function pick<T>(from: readonly T[], n: number): T {
  return from[n % from.length] as T
}

let nonce = 0
function ask(method: string, path: string, body?: object): number {
  const parts = credentials({
    accessKey: 'demo',
    secretKey: 'demo-secret',
    nonce: String(nonce++),
    timestampS: Math.floor(Date.now() / 1000),
  })
  const place = `/api/upgrade/v2${path}${path.includes('?') ? '&' : '?'}`
  const startMs = performance.now()
  const { status, body: text } = request(
    method,
    `${place}${new URLSearchParams({ ...parts })}`,
    body === undefined ? '' : JSON.stringify(body),
  )
  const tookMs = performance.now() - startMs
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return tookMs
}

const coin = (n: number) => encodeURIComponent(pick(coins, n))

const COLUMNS = ['totalPnl', 'winRate', 'sharpe', 'snapTotalValue', 'ddDrawdown', 'avgLeverage']
const DAYS = [1, 7, 30, 0]
const SPANS = ['15m', '1d', '7d', '30d', '60d']

const HEAVY: Record<string, (n: number) => number> = {
  'traders/discover with filters': (n) =>
    ask('POST', '/hl/traders/discover', {
      pageNum: 1 + (n % 3),
      pageSize: 25,
      period: pick(DAYS, n),
      sort: { field: pick(COLUMNS, n), dir: 'desc' },
      loadPnls: true,
      loadTags: true,
      filters: [{ field: pick(COLUMNS, n + 1), op: '>', val: n % 7 }],
      coins: [pick(coins, n)],
    }),
  'smart/find': (n) =>
    ask('POST', '/hl/smart/find', { period: pick(DAYS, n), pnlList: true, pageSize: 25 }),
  'market heatmap': (n) =>
    ask('GET', `/hl/liquidations/market-heatmap?coin=${coin(n)}&interval=${pick(SPANS, n)}`),
  'estimated heatmap': (n) => ask('GET', `/hl/liquidations/estimated-heatmap?coin=${coin(n)}`),
}

const FILLS = (n: number) => ask('GET', `/hl/fills/${address}?limit=${50 + (n % 50)}`)

/** Each is asked while time goes on, so that nothing is answered twice from the same moment. */
async function p99(once: (n: number) => number): Promise<number> {
  const timesMs: number[] = []
  for (let n = 0; n < TIMES; n++) {
    timesMs.push(once(n))
    await Bun.sleep(1)
  }
  return timesMs.sort((a, b) => a - b)[Math.floor(TIMES * 0.99)] ?? 0
}

const [[search, once]] = Object.entries(HEAVY) as [[string, (n: number) => number]]
const baseline = await p99(FILLS)
row({ name: `${search}, first of a process`, value: once(0), baseline, unit: 'ms' })
for (const [name, ask] of Object.entries(HEAVY))
  row({ name: `${name}, p99`, value: await p99(ask), baseline, unit: 'ms' })
registry.close()
