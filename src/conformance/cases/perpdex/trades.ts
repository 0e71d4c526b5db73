import { assertSame } from '../../assertions.ts'
import type { Case } from '../../case.ts'
import type { JsonObject } from '../../parsed-json.ts'
import type { Probe } from '../../probe.ts'
import { objectsOf, retryUntilHeld } from '../../response-reading.ts'
import { someCoin, someTraders } from '../../target-lookups.ts'
import { column, isClose, isNonDecreasing, isNonIncreasing } from '../../value-checks.ts'

/** Fills and trades (the service's documentation, Perpetual-DEX REST and records). */
export const TRADE_CASES: readonly Case[] = [
  {
    id: 'perpdex.trades.fills.order',
    title: 'fills of an address are in order of time',
    checks: ['perpdex.fillsOfAddress.order'],
    run: async (probe: Probe) => {
      for (const address of (await someTraders(probe)).slice(0, 3)) {
        const times = column(await objectsOf(probe, { path: `/hl/fills/${address}` }), 'time')
        probe.assert(isNonDecreasing(times) || isNonIncreasing(times), 'no fill is out of order')
      }
    },
  },
  {
    id: 'perpdex.trades.coin',
    title: 'coin narrows an answer to that coin, and takes nothing of it away',
    checks: ['perpdex.coin'],
    run: async (probe: Probe) => {
      // Of who trades more than an answer holds, both answers may be cut at different places.
      const traders = (await someTraders(probe)).slice(0, 5)
      const coin = await someCoin(probe)
      const paths = traders.flatMap((one) => [`/hl/fills/${one}`, `/hl/orders/${one}/latest`])
      for (const path of [...paths, TOP_ORDERS]) {
        const query = path === TOP_ORDERS ? { limit: 100 } : {}
        await retryUntilHeld(probe, async () => {
          const all = await objectsOf(probe, { path, query })
          const some = await objectsOf(probe, { path, query: { ...query, coin } })
          const others = some.filter((row) => coinOf(row) !== coin)
          assertSame(probe, others, [], `${path} with coin has that coin only`)
          const least = all.filter((row) => coinOf(row) === coin).length
          return some.length >= least ? null : `${path} with coin has all of that coin`
        })
      }
    },
  },
  {
    id: 'perpdex.trades.top.order',
    title: 'top trades come with the greatest value first, and a value is price times size',
    checks: ['perpdex.topTrades.order', 'record.topTrade.value'],
    run: async (probe: Probe) => {
      const query = { coin: await someCoin(probe), interval: '1d', limit: 100 }
      const rows = await objectsOf(probe, { path: '/hl/fills/top-trades', query })
      probe.assert(
        isNonIncreasing(column(rows, 'val')),
        'no trade has a greater value than one before it',
      )
      const wrong = rows.find((row) => !isClose(row.val, Number(row.px) * Number(row.sz)))
      probe.assert(!wrong, 'val is px times sz', wrong)
    },
  },
  {
    id: 'perpdex.trades.builder.least',
    title: 'minVal leaves out the fills of a builder that are worth less',
    checks: ['perpdex.fillsOfBuilder.minVal', 'record.builderFill'],
    run: async (probe: Probe) => {
      const [builder] = probe.target.inventory?.builders ?? []
      if (!builder) probe.skip('no builder is known')
      const path = `/hl/fills/builder/${builder}/latest`
      const value = ({ px, sz }: JsonObject) => Number(px) * Number(sz)
      const all = await objectsOf(probe, { path })
      const values = all.map(value).sort((a, b) => a - b)
      const minVal = Math.ceil(values[Math.floor(values.length / 2)] ?? 0)
      const some = await objectsOf(probe, { path, query: { minVal } })
      const wrong = some.find((row) => value(row) < minVal - 0.01)
      probe.assert(!wrong, `no fill is worth less than ${minVal}`, wrong)
      probe.assert(all.length < 4 || some.length > 0, 'the larger ones are still there')
      const edge = all.slice(0, NEWEST).find((row) => value(row) % 1 > 0.1 && value(row) % 1 < 0.9)
      if (!edge) return
      const least = Math.floor(value(edge))
      const kept = await objectsOf(probe, { path, query: { minVal: least } })
      const isKept = kept.some(({ tid }) => tid === edge.tid)
      probe.assert(isKept, `a fill worth ${value(edge)} is worth at least ${least}`, edge)
    },
  },
]

/** None of so many new fills is too old a moment later. */
const NEWEST = 50

const TOP_ORDERS = '/hl/orders/top-open-orders'

/** The coin of a fill or an order, in any of their forms (open). */
const coinOf = (row: JsonObject) => row.coin ?? (row.order as JsonObject | undefined)?.coin
