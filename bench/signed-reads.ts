/**
 * Benchmark of signed reads through the whole pipeline, all features on, against a bare Elysia that
 * checks the same signature and reads the same rows: in this process, in turn; and over HTTP, by
 * the processor time of each server's process.
 */
import { join } from 'node:path'
import { tradersOf } from '../src/market/rows/traders.ts'
import { server } from '../src/server/transport/elysia/server.ts'
import { bareReads } from './measure/bare-reads.ts'
import { benchMarket } from './measure/bench-registry.ts'
import { inTurn } from './measure/in-turn.ts'
import { load, processorMs, run, type Served, serve, signature } from './measure/processes.ts'
import { row } from './measure/result-row.ts'

const [FEW, MANY] = [50, 2_000]
const { registry, world, address } = await benchMarket(FEW)
const busy = busiest()
const nowMs = registry.get('default')?.position().atMs ?? 0
const app = server({ registry, control: [], pages: new Map() })
const bare = bareReads(world, nowMs)

const READS = [
  { name: 'signed reads of a price', path: '/hl/tickers/coin/BTC', count: 20_000 },
  { name: `signed reads of ${FEW} rows`, path: `/hl/fills/${address}?limit=${FEW}`, count: 20_000 },
  { name: `signed reads of ${MANY} rows`, path: `/hl/fills/${busy}?limit=${MANY}`, count: 1_000 },
] as const

/** An address with fills for the largest answer. */
function busiest(): string {
  const fills = registry.get('default')?.facts().fills
  const found = tradersOf(world).list.find(
    (one) => fills?.ofAddress(one.address, { limit: MANY }).length === MANY,
  )
  if (!found) throw new Error(`no account has ${MANY} fills`)
  return found.address
}

function signed(relative: string): string {
  const parts = new URLSearchParams({ ...signature() })
  return `/api/upgrade/v2${relative}${relative.includes('?') ? '&' : '?'}${parts}`
}

for (const { name, path, count } of READS) {
  const perSecond = async (handle: (request: Request) => Promise<Response> | Response) => {
    const requests = Array.from(
      { length: count },
      () => new Request(`http://localhost${signed(path)}`),
    )
    const startMs = performance.now()
    for (const one of requests) {
      const answer = await handle(one)
      if (!answer.ok) throw new Error(`HTTP ${answer.status}: ${await answer.text()}`)
      await answer.text()
    }
    return (requests.length / (performance.now() - startMs)) * 1000
  }
  const measured = await inTurn(
    5,
    () => perSecond((one) => app.handle(one)),
    () => perSecond((one) => bare.handle(one)),
  )
  row({ name: `${name}, in one process`, ...measured, unit: 'requests/s' })
}
registry.close()

// Over HTTP.

const own = await serve(['--speed', '0'])
const baseline = await run(['bun', join(import.meta.dir, 'measure', 'bare-reads.ts')])

/** Requests in a second of the server's processor, by 32 connections. */
async function perProcessorSecond({ port, pid }: Served, path: string): Promise<number> {
  const paths = Array.from({ length: 500 }, () => signed(path))
  const beforeMs = processorMs(pid)
  const { answered } = await load({ port, paths, connections: 32, warmMs: 0, countMs: 1_500 })
  return (answered / (processorMs(pid) - beforeMs)) * 1_000
}

for (const { name, path } of READS) {
  // Compiled code first.
  for (const one of [own, baseline]) await perProcessorSecond(one, path)
  const measured = await inTurn(
    3,
    () => perProcessorSecond(own, path),
    () => perProcessorSecond(baseline, path),
  )
  row({ name: `${name}, over HTTP`, ...measured, unit: 'requests/s' })
}
await Promise.all([own.stop(), baseline.stop()])
