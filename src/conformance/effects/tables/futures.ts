import type { Parameter } from '../../../contract/parameters.ts'
import type { AskedOperation } from '../../derived/asked-operation.ts'
import { rowsIn } from '../../derived/asked-operation.ts'
import { isJsonObject } from '../../parsed-json.ts'
import type { Effect, EffectEntry, EffectTable, Values } from '../effect.ts'
import { twoCoins, twoPairs, twoSymbols } from '../known-values.ts'
import { pages } from '../pages.ts'
import { differs } from '../selection.ts'
import { type Span, span, steps, widens } from '../spans.ts'
import { bounded } from '../time-bounds.ts'
import { currencies, languages } from '../wording.ts'

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

/** The first prices of a book. */
const best = (data: unknown) =>
  isJsonObject(data) ? ['bids', 'asks'].map((side) => rowsIn(data[side])[0]) : null

/** All that would be liquidated by the newest record. */
function turnover(data: unknown): number {
  const record = rowsIn(data).at(-1)
  const groups = isJsonObject(record) ? Object.values(record.data_map ?? {}) : []
  const cells = groups
    .filter(isJsonObject)
    .flatMap(({ long, short }) => [long, short].flatMap(rowsIn))
  return cells.reduce<number>((sum, cell) => sum + Number(rowsIn(cell)[2] ?? 0), 0)
}

/** Of more records than the first example asks for. */
const ofRows =
  (limit: string) =>
  (effect: Effect): Effect =>
  (asked: AskedOperation, parameter: Parameter) =>
    effect(asked.with({ query: { limit } }), parameter)

const [ofTwenty, ofMany] = [ofRows('20'), ofRows('100')]

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
