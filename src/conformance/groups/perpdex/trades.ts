/** Trades and fills of the perpetual DEX. */

import { type Parameter, parametersOf } from '../../../contract/parameters.ts'
import type { TestedOperation } from '../../derived/tested-operation.ts'
import {
  type Effect,
  type EffectEntry,
  type EffectTable,
  nameOf,
  recordsIn,
  someBuilders,
  someOids,
  someTwapAddresses,
  someTwapIds,
  twoCoins,
  twoTraders,
} from '../../effects/effect.ts'
import { both, differs, names, pages, part, selects } from '../../effects/selection.ts'
import { bounded, days, span, spans } from '../../effects/spans.ts'
import { busyTraders, someCoin, someTraders } from '../../example-filler.ts'
import type { Case, Probe } from '../../probe.ts'
import { byName, type Observers } from '../../requirement.ts'
import {
  assertSame,
  column,
  isClose,
  isJsonObject,
  isNonDecreasing,
  isNonIncreasing,
  type JsonObject,
  objectsOf,
  retryUntilHeld,
} from '../../responses.ts'

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
      // Both responses of a very active account may be truncated at different places.
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

/** None of so many new fills is dropped a moment later. */
const NEWEST = 50

const TOP_ORDERS = '/hl/orders/top-open-orders'

/** The coin of a fill or an order, in any of their forms (open). */
const coinOf = (row: JsonObject) => row.coin ?? (row.order as JsonObject | undefined)?.coin

/** A column of an order or a fill, in any of their forms (open). */
const inForm = (name: string) => (row: JsonObject) =>
  row[name] ?? (isJsonObject(row.order) ? row.order[name] : undefined)

const account: EffectEntry = { effect: differs(twoTraders) }

const ofCoin: EffectEntry = { effect: selects(inForm('coin')), checks: ['perpdex.coin'] }

const latest = { address: account, coin: ofCoin, limit: { counted: true } } as const

const byId: EffectEntry = { effect: names(inForm('oid'), someOids) }

/** Positions of several accounts closed within a period lie within it together. */
const closedWithin: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  const address = parametersOf(requested.operation).find(
    ({ name }) => name === 'address',
  ) as Parameter
  const [period, dayMs] = days(1)
  const times: number[] = []
  for (const trader of (await busyTraders(requested.probe)).slice(0, TRADERS)) {
    const one = requested.withValue(address, trader).withValue(parameter, period)
    times.push(...(await one.objects()).map(({ closeTime }) => Number(closeTime)))
  }
  const width = Math.max(...times) - Math.min(...times)
  const words = `${nameOf(requested, parameter, period)} has what was closed within a day`
  requested.probe.assert(times.length === 0 || width <= 1.5 * dayMs, words, width)
}

const TRADERS = 10

/** Where rows name their TWAP (open), it is the requested one. */
const ofTwap: Effect = async (requested: TestedOperation, parameter: Parameter) => {
  for (const id of await someTwapIds(requested.probe)) {
    const rows = recordsIn(await requested.withValue(parameter, id).data())
    const wrong = rows.find(({ twapId }) => twapId !== undefined && Number(twapId) !== id)
    requested.probe.assert(
      !wrong,
      `${nameOf(requested, parameter, id)} has fills of it only`,
      wrong,
    )
  }
}

const count = (data: unknown) => (isJsonObject(data) ? Number(data.totalCount ?? 0) : 0)

/** Effects of trade and fill parameters, by operation and parameter. */
export const TRADE_EFFECTS: EffectTable = {
  'perpdex.activeOrderStats': {
    whale_threshold: { caseId: 'perpdex.orders.stats' },
    coin: { effect: part(count, twoCoins), checks: ['perpdex.coin'] },
  },
  'perpdex.bestTrades': {
    address: account,
    period: { effect: both(spans([days(1), days(7), days(30)], 'closeTime'), closedWithin) },
    limit: { counted: true },
  },
  'perpdex.completedTrades': latest,
  'perpdex.completedTradesByTime': {
    address: account,
    pageNum: { effect: pages(opened) },
    pageSize: { counted: true },
    Coin: { effect: selects('coin') },
    coin: { reason: 'whether it counts is open: completed-by-time-coin' },
    endTimeFrom: { effect: bounded('start', closed) },
    endTimeTo: { effect: bounded('end', closed) },
  },
  'perpdex.filledOrderById': { oid: byId },
  'perpdex.filledOrdersLatest': latest,
  'perpdex.fillsOfAddress': latest,
  'perpdex.fillsOfBuilder': {
    builder: { effect: differs(someBuilders) },
    coin: ofCoin,
    limit: { counted: true },
    minVal: { caseId: 'perpdex.trades.builder.least' },
  },
  'perpdex.fillsOfOrder': { oid: byId },
  'perpdex.fillsOfTwap': { twapid: { effect: both(differs(someTwapIds), ofTwap) } },
  'perpdex.orderById': { oid: byId },
  'perpdex.ordersLatest': latest,
  'perpdex.topOpenOrders': {
    min_val: { caseId: 'perpdex.orders.top.value' },
    coin: ofCoin,
    limit: { counted: true },
  },
  'perpdex.topTrades': {
    interval: { effect: spans([span('1m'), span('1h'), span('7d')]) },
    coin: { effect: names('coin', twoCoins), checks: ['perpdex.coin'] },
    limit: { counted: true },
  },
  'perpdex.twapStatesLatest': {
    address: { effect: names('user', someTwapAddresses) },
    coin: ofCoin,
    limit: { counted: true },
  },
  'perpdex.twapsTopImpact': { coin: ofCoin, limit: { counted: true } },
}

/** Opening time, which distinguishes trades, in either form (open). */
function opened({ coin, openTime, startTime }: JsonObject): unknown {
  return `${coin} ${openTime ?? startTime}`
}

/** Closing time of a trade, in either form (open). */
function closed({ closeTime, endTime }: JsonObject): unknown {
  return closeTime ?? endTime
}

/** Observers of the open questions about fills. */
export const PERPDEX_FILL_OBSERVERS: Observers = {
  'fill-form': byName(
    async (probe) => ({
      path: `/hl/fills/${(await someTraders(probe))[0]}`,
      query: { limit: 1 },
    }),
    { px: 'native', price: 'simple' },
  ),
  'twap-fill-form': byName(
    async (probe) => ({ path: `/hl/fills/twapid/${await someTwap(probe)}` }),
    { address: 'native', closedPnl: 'native', px: 'slice', price: 'simple' },
  ),
  'builder-fill-ids': async (probe: Probe) => {
    const [builder] = probe.target.inventory?.builders ?? []
    if (builder === undefined) probe.skip('no list of the service names a builder')
    const path = `/hl/fills/builder/${builder}/latest`
    const [fill] = await objectsOf(probe, { path, query: { limit: 1 } })
    if (fill === undefined) probe.skip('the builder has no fill')
    return 'tid' in fill && 'twapId' in fill ? 'present' : 'tid' in fill ? null : 'absent'
  },
}

/** A TWAP with fills. */
async function someTwap(probe: Probe): Promise<number> {
  const rows = await objectsOf(probe, { path: '/hl/twaps/top-impact' })
  const running = column(rows, 'twapId').filter(Number.isSafeInteger)
  for (const id of [...(probe.target.inventory?.twapIds ?? []), ...running].slice(0, 10))
    if ((await objectsOf(probe, { path: `/hl/fills/twapid/${id}` })).length > 0) return id
  probe.skip('no TWAP has filled anything of late')
}
