import type { Case } from '../../case.ts'
import { someCoin, someTraders } from '../../finding-out.ts'
import { column, falls, isNear, rises } from '../../judging.ts'
import type { Probe } from '../../probe.ts'
import { type Row, rowsOf, settled } from '../../reading.ts'

/** Fills and trades (spec, Perpetual-DEX REST and records). */
export const TRADE_CASES: readonly Case[] = [
  {
    id: 'trades.fills.order',
    title: 'fills of an address are in order of time',
    checks: ['perpdex.fillsOfAddress.order'],
    run: async (probe: Probe) => {
      for (const address of (await someTraders(probe)).slice(0, 3)) {
        const times = column(await rowsOf(probe, { path: `/hl/fills/${address}` }), 'time')
        probe.hold(rises(times) || falls(times), 'no fill is out of order')
      }
    },
  },
  {
    id: 'trades.coin',
    title: 'coin narrows an answer to that coin, and takes nothing of it away',
    checks: ['perpdex.coin'],
    run: async (probe: Probe) => {
      const [address = ''] = await someTraders(probe)
      const coin = await someCoin(probe)
      for (const path of [`/hl/fills/${address}`, `/hl/orders/${address}/latest`, TOP_ORDERS]) {
        const query = path === TOP_ORDERS ? { limit: 100 } : {}
        await settled(probe, async () => {
          const all = await rowsOf(probe, { path, query })
          const some = await rowsOf(probe, { path, query: { ...query, coin } })
          const others = some.filter((row) => coinOf(row) !== coin)
          probe.hold(others.length === 0, `${path} with coin has that coin only`, others[0])
          const least = all.filter((row) => coinOf(row) === coin).length
          return some.length >= least ? null : `${path} with coin has all of that coin`
        })
      }
    },
  },
  {
    id: 'trades.top.order',
    title: 'top trades come with the greatest value first, and a value is price times size',
    checks: ['perpdex.topTrades.order', 'record.topTrade.value'],
    run: async (probe: Probe) => {
      const query = { coin: await someCoin(probe), interval: '1d', limit: 100 }
      const rows = await rowsOf(probe, { path: '/hl/fills/top-trades', query })
      probe.hold(falls(column(rows, 'val')), 'no trade has a greater value than one before it')
      const odd = rows.find((row) => !isNear(row.val, Number(row.px) * Number(row.sz)))
      probe.hold(!odd, 'val is px times sz', odd)
    },
  },
  {
    id: 'trades.builder.least',
    title: 'minVal leaves out the fills of a builder that are worth less',
    checks: ['perpdex.fillsOfBuilder.minVal', 'record.builderFill'],
    run: async (probe: Probe) => {
      const [builder] = probe.target.known?.builders ?? []
      if (!builder) probe.skip('no builder is known')
      const path = `/hl/fills/builder/${builder}/latest`
      const value = ({ px, sz }: Row) => Number(px) * Number(sz)
      const all = await rowsOf(probe, { path })
      const values = all.map(value).sort((a, b) => a - b)
      const minVal = Math.ceil(values[Math.floor(values.length / 2)] ?? 0)
      const some = await rowsOf(probe, { path, query: { minVal } })
      const odd = some.find((row) => value(row) < minVal - 0.01)
      probe.hold(!odd, `no fill is worth less than ${minVal}`, odd)
      probe.hold(all.length < 4 || some.length > 0, 'the larger ones are still there')
    },
  },
]

const TOP_ORDERS = '/hl/orders/top-open-orders'

/** The coin of a fill or an order, in any of their forms (open). */
const coinOf = (row: Row) => row.coin ?? (row.order as Row | undefined)?.coin
