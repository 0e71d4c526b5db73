/** Requirements, effects and open questions of futures. */

import type { Parameter } from '../../../contract/parameters.ts'
import { rowsIn, type TestedOperation } from '../../derived/tested-operation.ts'
import {
  type Effect,
  type EffectEntry,
  type EffectTable,
  twoCoins,
  twoPairs,
  twoSymbols,
  type Values,
} from '../../effects/effect.ts'
import { currencies, differs, languages, pages } from '../../effects/selection.ts'
import { bounded, type Span, span, steps, widens } from '../../effects/spans.ts'
import { somePair } from '../../example-filler.ts'
import type { Probe } from '../../probe.ts'
import {
  among,
  byAnswers,
  byRequired,
  bySuccess,
  byValues,
  dataIn,
  firstOf,
  type Observers,
  type Requirement,
  requirementsOfSection,
} from '../../requirement.ts'
import {
  column,
  isClose,
  isJsonObject,
  isSuccess,
  type JsonObject,
  objectOf,
  objectsOf,
} from '../../responses.ts'

// Requirements.

/** Requirements of the contract on futures. */
export const FUTURES_REQUIREMENTS: readonly Requirement[] = [
  ...requirementsOfSection('Endpoints: Futures, index and coin data', {
    'futures.interest.currency': 'currency of the interest list is cny or usd.',
    'futures.history.intervals': byValues(
      'Funding-rate history supports twelve intervals from 1m to 1w.',
      'futures.fundingRateHistory',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
    ),
    'futures.coinMargin.intervals': byValues(
      'Coin-margined interest supports 1m, 2m, 15m and 30m.',
      'futures.coinMarginInterestHistory',
    ),
    'futures.liquidation.intervals': byValues(
      'Liquidation history supports 1m, 2m, 15m and 30m.',
      'futures.liquidationHistory',
    ),
    'futures.estimated.leverage':
      'leverage 10, 25, 50 or 100 returns only that leverage, an empty one all four.',
    'futures.estimated.cycle': byValues(
      'cycle is 24h or 7d.',
      'futures.estimatedLiquidationHistory',
    ),
    'futures.history.window': 'start_time and end_time bound the records of a history.',
    'depth.dbKey': byRequired(
      'All three kinds of depth need dbKey.',
      'futures.latestDepth',
      'futures.fullDepth',
      'futures.groupedDepth',
    ),
    'depth.groupSize': 'groupSize is a number above 0, and grouped depth needs it.',
    'depth.empty': 'latest-depth without data is HTTP 200 with empty sides and length 0.',
    'depth.grouped.intervals':
      'A level of grouped depth is the interval from its start to before its end.',
    'depth.grouped.sums': 'A level of grouped depth sums the quantities inside its interval.',
    'depth.grouped.order': 'In grouped depth, bids are in descending and asks in ascending order.',
    'depth.latest.newest':
      'latest-depth shows the newest snapshot: its best prices are those of full-depth.',
  }),
  ...requirementsOfSection('Resources: Candle-like history records', {
    'record.history': byAnswers(
      'Funding and interest history has a whole time in ms and open, high, low and close as ' +
        'text.',
      'futures.fundingRateHistory',
      'futures.weightedFundingRateHistory',
      'futures.stablecoinInterestHistory',
      'futures.coinMarginInterestHistory',
    ),
    'record.history.candle':
      'In a history record, high is the greatest and low the smallest of the four.',
    'record.history.rawRate': 'A funding value is a raw rate, not a percentage.',
    'record.liquidations': byAnswers(
      'Liquidation history has a time in ms and the long and short sums as text.',
      'futures.liquidationHistory',
    ),
    'record.estimated': byAnswers(
      'An estimated-liquidation record has a time, a data_map by leverage and the time of ' +
        'its calculation.',
      'futures.estimatedLiquidationHistory',
    ),
    'record.estimated.mapping':
      'The mapping of estimated liquidations is from, to, turnover, in this order.',
    'record.estimated.cells':
      'Each cell of estimated liquidations has three members, and from is below to.',
  }),
  ...requirementsOfSection('Resources: Depth snapshot', {
    'record.depth': byAnswers(
      'latest-depth has max, asks, bids, now, result, length and ds.',
      'futures.latestDepth',
    ),
    'record.depth.now': 'now of latest-depth is written YYYY-MM-DD HH:mm:ss.',
    'record.depth.result': 'result of latest-depth is success or error, and ds is 1.',
    'record.depth.length': 'length of latest-depth counts the levels of both sides.',
    'record.depth.order':
      'In latest-depth, asks are in ascending and bids in descending order of price.',
    'record.fullDepth': byAnswers(
      'full-depth has a time in ms, an action, bids and asks of price and quantity.',
      'futures.fullDepth',
    ),
    'record.fullDepth.order':
      'In full-depth, bids are in descending and asks in ascending order of price.',
    'record.groupedDepth': byAnswers(
      'Grouped depth is full-depth with groupSize, its levels start, end and total ' + 'quantity.',
      'futures.groupedDepth',
    ),
  }),
  ...requirementsOfSection('Resources: Futures interest item', {
    'record.interest': byAnswers(
      'An interest item has five texts and a trend of times (seconds, as text) and closes.',
      'futures.interest',
    ),
  }),
]

// Effects of parameters.

const LONG: readonly Span[] = [
  ...['1m', '3m', '5m', '15m', '30m', '1h', '4h', '6h', '8h', '12h', '1d', '1w'],
].map(span)
const SHORT: readonly Span[] = ['1m', '2m', '15m', '30m'].map(span)

/** Records of histories, without their times. */
const values = (data: unknown) =>
  rowsIn(data).map((row) => (isJsonObject(row) ? { ...row, time: 0 } : row))

const history = (
  symbols: Values,
  intervals: readonly Span[],
  requirement: string,
): Record<string, EffectEntry> => ({
  symbol: { effect: differs(symbols, values) },
  interval: { listed: steps(intervals), checks: [requirement] },
  limit: { counted: true },
  start_time: { effect: bounded('start'), checks: ['futures.history.window'] },
  end_time: { effect: bounded('end'), checks: ['futures.history.window'] },
})

/** The best prices of a book. */
const best = (data: unknown) =>
  isJsonObject(data) ? ['bids', 'asks'].map((side) => rowsIn(data[side])[0]) : null

/** Total of the newest record's liquidations. */
function turnover(data: unknown): number {
  const record = rowsIn(data).at(-1)
  const groups = isJsonObject(record) ? Object.values(record.data_map ?? {}) : []
  const cells = groups
    .filter(isJsonObject)
    .flatMap(({ long, short }) => [long, short].flatMap(rowsIn))
  return cells.reduce<number>((sum, cell) => sum + Number(rowsIn(cell)[2] ?? 0), 0)
}

/** With more records than the first example requests. */
const ofRows =
  (limit: string) =>
  (effect: Effect): Effect =>
  (requested: TestedOperation, parameter: Parameter) =>
    effect(requested.with({ query: { limit } }), parameter)

const [ofTwenty, ofMany] = [ofRows('20'), ofRows('100')]

/** Effects of futures parameters, by operation and parameter. */
export const FUTURES_EFFECTS: EffectTable = {
  'futures.coinMarginInterestHistory': history(twoCoins, SHORT, 'futures.coinMargin.intervals'),
  'futures.estimatedLiquidationHistory': {
    dbkey: { effect: differs(twoPairs, values) },
    leverage: { caseId: 'futures.history.estimated.leverage' },
    cycle: { listed: widens(turnover, ['24h', '7d']), checks: ['futures.estimated.cycle'] },
    limit: { counted: true },
    start_time: { effect: ofTwenty(bounded('start')), checks: ['futures.history.window'] },
    end_time: { effect: ofTwenty(bounded('end')), checks: ['futures.history.window'] },
  },
  'futures.fullDepth': { dbKey: { effect: differs(twoPairs, best) } },
  'futures.fundingRateHistory': history(twoPairs, LONG, 'futures.history.intervals'),
  'futures.groupedDepth': {
    dbKey: { effect: differs(twoPairs, best) },
    groupSize: { caseId: 'futures.depth.grouped' },
  },
  'futures.interest': {
    lan: { effect: languages({ cn: 'cn', en: 'en' }, 'market_name') },
    page: { effect: pages('key') },
    pageSize: { counted: true },
    currency: { effect: currencies('trade', 'key'), checks: ['futures.interest.currency'] },
  },
  'futures.latestDepth': {
    dbKey: { effect: differs(twoPairs, best) },
    size: { counted: true },
  },
  'futures.liquidationHistory': {
    ...history(twoPairs, SHORT, 'futures.liquidation.intervals'),
    interval: {
      listed: ofMany(steps(SHORT, { isDense: false })),
      checks: ['futures.liquidation.intervals'],
    },
  },
  'futures.stablecoinInterestHistory': history(twoCoins, LONG, 'futures.history.intervals'),
  'futures.weightedFundingRateHistory': history(twoSymbols, LONG, 'futures.history.intervals'),
}

// Pairs, depth and histories of derivatives.

const FUNDING = '/futures/funding-rate/history'

const BITCOIN = 'btcswapusdt:binance'

/** Observers of the open questions about futures. */
export const FUTURES_OBSERVERS: Observers = {
  'unknown-pair': bySuccess(
    () => ({ path: '/futures/full-depth', query: { dbKey: 'x:y' } }),
    'empty',
    'refuse',
  ),
  'pair-letters': async (probe: Probe) => {
    const path = '/futures/full-depth'
    const [pair = '', exchange = ''] = (await somePair(probe)).split(':')
    const named = (name: string) => probe.request({ path, query: { dbKey: `${name}:${exchange}` } })
    if (!isSuccess(await named(pair))) return null
    return isSuccess(await named(pair.toUpperCase())) ? 'accept' : 'refuse'
  },
  'unknown-symbol': bySuccess(
    () => ({ path: '/futures/funding-rate/history', query: { symbol: 'x:y', interval: '1m' } }),
    'empty',
    'refuse',
  ),
  'latest-depth-size': async (probe: Probe) => {
    const query = { dbKey: await somePair(probe) }
    const { max, asks, bids } = await objectOf(probe, { path: '/futures/latest-depth', query })
    const longest = [asks, bids].map((side) => (Array.isArray(side) ? side.length : 0))
    return among(max, SIZES) ?? among(Math.max(...longest), SIZES)
  },
  'history-coverage': async (probe: Probe) => {
    const has = async (symbol: string, interval: string) => {
      const data = await dataIn(probe, { path: FUNDING, query: { symbol, interval, limit: 1 } })
      return Array.isArray(data) && data.length > 0
    }
    if (!(await has(BITCOIN, '8h'))) probe.skip(`the target has no funding rates of ${BITCOIN}`)
    const others = [await has(BITCOIN, '1h'), await has('ethswapusdt:binance', '8h')]
    if (others.every(Boolean)) return 'all'
    return others.some(Boolean) ? null : 'seen'
  },
  'history-excess': async (probe: Probe) => {
    const usual = { symbol: BITCOIN, interval: '8h' }
    const all = column(
      await objectsOf(probe, { path: FUNDING, query: { ...usual, limit: 9 } }),
      'time',
    ).sort((a, b) => a - b)
    const [start_time] = all
    if (start_time === undefined || all.length < 5) probe.skip('the history is too short')
    const query = { ...usual, limit: 2, start_time }
    const found = column(await objectsOf(probe, { path: FUNDING, query }), 'time')
    if (found.includes(start_time)) return 'oldest'
    return found.includes(all.at(-1) as number) ? 'newest' : null
  },
  'funding-history-code': async (probe) => {
    const query = { symbol: 'btcswapusdt:binance', interval: '1h', limit: 1 }
    const { json } = await probe.request({ path: '/futures/funding-rate/history', query })
    if (!isJsonObject(json)) return null
    return json.code === '0' ? 'text' : json.code === 0 ? 'integer' : null
  },
  'coin-margin-coins': bySuccess(
    () => ({
      path: '/futures/open-interest/aggregated-coin-margin-history',
      query: { symbol: 'ETH', interval: '15m' },
    }),
    'all',
    'btc',
  ),
  'quiet-liquidations': async (probe: Probe) => {
    const usual = { symbol: BITCOIN, interval: '1m', limit: 30 }
    const path = '/futures/liquidation/history'
    const rows = await objectsOf(probe, { path, query: usual })
    const minutes = column(await objectsOf(probe, { path: FUNDING, query: usual }), 'time')
    const listed = new Set(column(rows, 'time'))
    // Only one of the two may contain the running minute.
    const complete = minutes.sort((a, b) => a - b).slice(0, -1)
    if (complete.length < 5) probe.skip('the target has too few funding rates to compare with')
    if (rows.some(isQuiet)) return 'zero'
    return complete.every((time) => listed.has(time)) ? null : 'absent'
  },
  'estimated-liquidation-cells': async (probe: Probe) => {
    const query = { dbkey: await somePair(probe), cycle: '24h', limit: 1 }
    const path = '/futures/estimated-liquidation/history'
    const { data_map } = firstOf(await objectsOf(probe, { path, query }))
    const maps = Object.values(isJsonObject(data_map) ? data_map : {}).filter(isJsonObject)
    const cells = maps.flatMap(({ long, short }) => [long, short]).filter(Array.isArray)
    const types = new Set(cells.flat(2).map((one) => typeof one))
    if (types.size !== 1) return null
    return types.has('string') ? 'text' : types.has('number') ? 'number' : null
  },
  'futures-interest-fields': async (probe: Probe) => {
    const query = { currency: 'usd' }
    const rows = await objectsOf(probe, { path: '/futures/interest', query }, 'list')
    const listed = rows.flatMap(({ vol_coin, trend }): [unknown, unknown][] => {
      const last = Array.isArray(trend) ? (trend.at(-1) as JsonObject | undefined) : undefined
      return last === undefined ? [] : [[vol_coin, last.close]]
    })
    if (listed.length === 0) probe.skip('the target lists no open interest with a trend')
    const near = listed.filter(([volume, close]) => isClose(volume, close, 0.02)).length
    return near > listed.length / 2 ? 'interest' : 'turnover'
  },
}

const SIZES = ['20', '100', '500'] as const

const isQuiet = ({ long_liquidation_usd, short_liquidation_usd }: JsonObject): boolean =>
  Number(long_liquidation_usd) === 0 && Number(short_liquidation_usd) === 0
