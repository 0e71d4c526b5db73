/**
 * A bare Elysia server of signed reads, the baseline of Tapewright's: it checks the same signature
 * and reads the same rows. As a program it listens, and prints where.
 */
import { Elysia } from 'elysia'
import { isSigned } from '../../src/contract/signature-check.ts'
import { SIMPLE_FILL_SELECT } from '../../src/market/rows/fill-rows.ts'
import { tradersOf } from '../../src/market/rows/traders.ts'
import { pxText, szText } from '../../src/market/schema/schema.ts'
import type { World } from '../../src/market/world/world.ts'
import { benchMarket } from './bench-registry.ts'

/** The reads of a world up to an instant: the last price of a coin, and fills of an address. */
export function bareReads(world: World, nowMs: number) {
  const fills = SIMPLE_FILL_SELECT.prepare<[trader: number, atMs: number, limit: number]>(
    world.db,
    'from fill f where f.trader = ? and f.timeMs <= ? order by f.timeMs desc, f.id desc limit ?',
  )
  const lastTrade = world.db.query<{ px: number }, [instrument: number, atMs: number]>(
    'select px from trade where instrument = ? and timeMs <= ? order by timeMs desc limit 1',
  )
  const traders = new Map(tradersOf(world).list.map(({ address, id }) => [address, id]))
  const coins = new Map(world.instruments.map((row, at) => [row.coin, { row, at }]))
  return new Elysia()
    .get('/api/upgrade/v2/hl/tickers/coin/:coin', ({ query, params, set }) => {
      if (!isSigned(query as never, SECRET)) return refused(set)
      const of = coins.get(params.coin)
      const trade = of && lastTrade.get(of.at, nowMs)
      if (!of || !trade) return { code: '0', msg: 'success', data: null }
      const data = { coin: params.coin, price: pxText(of.row, trade.px as never) }
      return { code: '0', msg: 'success', data }
    })
    .get('/api/upgrade/v2/hl/fills/:address', ({ query, params, set }) => {
      if (!isSigned(query as never, SECRET)) return refused(set)
      const rows = fills.all(traders.get(params.address) ?? 0, nowMs, Number(query.limit))
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
}

const SECRET = 'demo-secret'

function refused(set: { status?: number | string }) {
  set.status = 401
  return { code: '401' }
}

if (import.meta.main) {
  const { world, registry } = await benchMarket(1)
  const nowMs = registry.get('default')?.position().atMs ?? 0
  const { server } = bareReads(world, nowMs).listen({ port: 0, hostname: '127.0.0.1' })
  console.log(`listening on http://127.0.0.1:${server?.port}`)
}
