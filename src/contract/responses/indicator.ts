/** Answers of the operations for indicators and k-lines. */
import type { Facts } from '../facts.ts'
import type { Answers } from '../questions.ts'
import {
  INDICATOR_KEYS,
  INDICATORS,
  type IndicatorKey,
  type IndicatorLists,
  type IndicatorRecord,
  type KlineNumbers,
  type KlinePart,
} from '../records/indicator.ts'
import { type Refusal, refuseSymbol } from '../refusal.ts'

const isIndicator = (key: string): key is IndicatorKey => Object.hasOwn(INDICATORS, key)

type Indicators = Pick<Facts, 'indicator' | 'moment'>

interface IndicatorParameters extends KlinePart {
  symbol: string
  indicator_key: string
}

/** Records of an indicator in the form in force, or the answer of `indicator-unknown`. */
export function* indicatorData(parameters: IndicatorParameters, { indicator, moment }: Indicators) {
  const { symbol, indicator_key: key } = parameters
  if (!isIndicator(key)) return unknown(refuseKey, { kline_data: {} }, moment.answers)
  const records = yield* indicator.records({ ...klineQueryOf(parameters), key })
  const answer = { kline_data: inForm(records ?? [], key, moment.answers) }
  return records === null ? unknown(refuseSymbol(symbol), answer, moment.answers) : answer
}

/** Pairs with an indicator, or the answer of `indicator-unknown` for an unknown one. */
export function indicatorPairs(coinType: string, key: string, { indicator, moment }: Indicators) {
  if (!isIndicator(key)) return unknown(refuseKey, { list: [] }, moment.answers)
  const isSplit = moment.answers['trading-pair-parts'] === 'split'
  const list = indicator
    .pairs(coinType, key)
    .map(({ symbol, name }) => (isSplit ? symbol.split(':') : [symbol, name]) as [string, string])
  return { list }
}

/** Candles in the form in force, or the answer of `indicator-unknown`. */
export function* klineData(
  parameters: Omit<IndicatorParameters, 'indicator_key'>,
  { indicator, moment }: Indicators,
) {
  const rows = yield* indicator.klines(klineQueryOf(parameters))
  if (rows === null)
    return unknown(refuseSymbol(parameters.symbol), { kline_data: [] }, moment.answers)
  const isText = moment.answers['kline-numbers'] === 'text'
  return { kline_data: isText ? rows : rows.map((row) => row.map(Number) as KlineNumbers) }
}

const refuseKey: Refusal<'invalid'> = {
  refused: 'invalid',
  parameter: 'indicator_key',
  expected: `one of ${INDICATOR_KEYS.join(', ')}`,
}

function unknown<T, R extends Refusal>(refusal: R, nothing: T, answers: Answers): T | R {
  return answers['indicator-unknown'] === 'refuse' ? refusal : nothing
}

function inForm(records: IndicatorRecord[], key: IndicatorKey, answers: Answers) {
  if (answers['indicator-form'] === 'records') return records
  const lists = INDICATORS[key].map((name) => [name, records.map((one) => one[name])])
  return Object.fromEntries(lists) as IndicatorLists
}

const klineQueryOf = ({
  symbol,
  period,
  size,
  open_time,
  since,
}: Omit<IndicatorParameters, 'indicator_key'>) => ({
  symbol,
  periodS: period,
  size,
  sinceS: since,
  openHour: open_time,
})
