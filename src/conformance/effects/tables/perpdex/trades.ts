import { type Parameter, parametersOf } from '../../../../contract/parameters.ts'
import type { AskedOperation } from '../../../derived/asked-operation.ts'
import { isJsonObject, type JsonObject } from '../../../parsed-json.ts'
import { busyTraders } from '../../../target-lookups.ts'
import { type Effect, type EffectEntry, type EffectTable, nameOf, recordsIn } from '../../effect.ts'
import {
  someBuilders,
  someOids,
  someTwapAddresses,
  someTwapIds,
  twoCoins,
  twoTraders,
} from '../../known-values.ts'
import { pages } from '../../pages.ts'
import { both, differs, names, part, selects } from '../../selection.ts'
import { days, span, spans } from '../../spans.ts'
import { bounded } from '../../time-bounds.ts'

/** A column of an order or a fill, in any of their forms (open). */
const inForm = (name: string) => (row: JsonObject) =>
  row[name] ?? (isJsonObject(row.order) ? row.order[name] : undefined)

const account: EffectEntry = { effect: differs(twoTraders) }
const ofCoin: EffectEntry = { effect: selects(inForm('coin')), checks: ['perpdex.coin'] }
const latest = { address: account, coin: ofCoin, limit: { counted: true } } as const
const byId: EffectEntry = { effect: names(inForm('oid'), someOids) }

/** What several accounts closed within a period lies within it together. */
const closedWithin: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  const address = parametersOf(asked.operation).find(({ name }) => name === 'address') as Parameter
  const [period, dayMs] = days(1)
  const times: number[] = []
  for (const trader of (await busyTraders(asked.probe)).slice(0, TRADERS)) {
    const one = asked.withValue(address, trader).withValue(parameter, period)
    times.push(...(await one.objects()).map(({ closeTime }) => Number(closeTime)))
  }
  const width = Math.max(...times) - Math.min(...times)
  const words = `${nameOf(asked, parameter, period)} has what was closed within a day`
  asked.probe.assert(times.length === 0 || width <= 1.5 * dayMs, words, width)
}

const TRADERS = 10

/** Where rows say of which TWAP they are (open), it is that one. */
const ofTwap: Effect = async (asked: AskedOperation, parameter: Parameter) => {
  for (const id of await someTwapIds(asked.probe)) {
    const rows = recordsIn(await asked.withValue(parameter, id).data())
    const wrong = rows.find(({ twapId }) => twapId !== undefined && Number(twapId) !== id)
    asked.probe.assert(!wrong, `${nameOf(asked, parameter, id)} has fills of it only`, wrong)
  }
}

const count = (data: unknown) => (isJsonObject(data) ? Number(data.totalCount ?? 0) : 0)

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

/** What tells trades apart, in either form (open). */
function opened({ coin, openTime, startTime }: JsonObject): unknown {
  return `${coin} ${openTime ?? startTime}`
}

/** When a trade was closed, in either form (open). */
function closed({ closeTime, endTime }: JsonObject): unknown {
  return closeTime ?? endTime
}
