/**
 * Benchmark of a signed read of 50 rows through the whole pipeline, against a bare Elysia handler
 * that checks the same signature and reads the same rows. Both run in this process, in turn.
 */
import { Elysia } from 'elysia'
import { credentials } from '../src/contract/signature.ts'
import { isSigned } from '../src/contract/signature-check.ts'
import { SIMPLE_FILL_SELECT } from '../src/market/rows/fill-rows.ts'
import { tradersOf } from '../src/market/rows/traders.ts'
import { pxText, szText } from '../src/market/schema/schema.ts'
import { server } from '../src/server/transport/elysia/server.ts'
import { benchMarket } from './measure/bench-registry.ts'
import { inTurn } from './measure/in-turn.ts'
import { row } from './measure/result-row.ts'

const ROWS = 50
const { registry, world, address } = await benchMarket(ROWS)
const app = server({ registry, control: [], pages: new Map() })

const statement = SIMPLE_FILL_SELECT.prepare<[trader: number, atMs: number, limit: number]>(
  world.db,
  'from fill f where f.trader = ? and f.timeMs <= ? order by f.timeMs desc, f.id desc limit ?',
)
const trader = tradersOf(world).find(address)?.id ?? 0
const nowMs = registry.get('default')?.position().atMs ?? 0

const bare = new Elysia().get('/api/upgrade/v2/hl/fills/:address', ({ query, set }) => {
  if (!isSigned(query as never, 'demo-secret')) {
    set.status = 401
    return { code: '401' }
  }
  const rows = statement.all(trader, nowMs, Number(query.limit))
  const data = rows.reverse().map(({ instrument, side, px, sz, timeMs: time, oid }) => {
    const of = world.instruments[instrument] as never
    return {
      coin: (of as { coin: string }).coin,
      side,
      price: pxText(of, px),
      size: szText(of, sz),
      time,
      oid,
    }
  })
  return { code: '0', msg: 'success', data }
})

let nonce = 0
function request(): Request {
  const parts = credentials({
    accessKey: 'demo',
    secretKey: 'demo-secret',
    nonce: String(nonce++),
    timestampS: Math.floor(Date.now() / 1000),
  })
  const query = new URLSearchParams({ limit: String(ROWS), ...parts })
  return new Request(`http://localhost/api/upgrade/v2/hl/fills/${address}?${query}`)
}

async function perSecond(handle: (request: Request) => Promise<Response> | Response) {
  const requests = Array.from({ length: 20_000 }, request)
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
row({
  name: `signed reads of ${ROWS} rows, in one process`,
  ...measured,
  unit: 'requests/s',
})
registry.close()
