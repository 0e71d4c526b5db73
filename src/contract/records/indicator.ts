/** Indicators and k-lines of pairs (spec, Indicator keys; public documentation and clients). */
import type { KlineValues } from '../facts/indicators.ts'
import type { Facts } from '../facts.ts'
import { meant } from '../meaning.ts'
import type { Answers } from '../questions.ts'
import { type Refusal, refuseSymbol } from '../refusal.ts'
import { Decimal, Limit, OneOf, type Static, TimeS, type TSchema, Type, Usual } from '../schema.ts'

const exact = { additionalProperties: false }

/** Every column that an indicator may have. */
const COLUMNS = {
  time: TimeS('beginning of the interval, s'),
  timestamp: TimeS('beginning of the interval, or time of the trade, s'),
  fundingTime: TimeS('when funding was last charged, s'),
  fundingRate: Decimal('raw rate when the interval ended'),
  value: Decimal('fundflow: bought less sold by takers, USD; aiaggtrade: value, USD'),
  open: Decimal('open interest when it began, in the coin'),
  high: Decimal('highest'),
  low: Decimal('lowest'),
  close: Decimal('when it ended, or the present one'),
  buyAccount: Decimal(
    'lsur, ttsi: part of the accounts that are long; aibst: accounts that bought',
  ),
  sellAccount: Decimal('the same, short; accounts that sold'),
  buyInterest: Decimal('part of the positions of top traders that is long'),
  sellInterest: Decimal('part that is short'),
  ratios: Decimal('long over short'),
  openInterest: Decimal('value of the open interest when it ended, USD'),
  volume: Decimal('turnover, USD'),
  buyVolume: Decimal('bought by takers, in the coin'),
  sellVolume: Decimal('sold by takers, in the coin'),
  basis: Decimal('price of the perpetual less that of spot'),
  basisRate: Decimal('basis over the price of spot'),
  buySize: Decimal('value of short positions closed by force, USD'),
  sellSize: Decimal('value of long positions closed by force, USD'),
  key: Type.String({ description: 'dbKey of the pair' }),
  coin_type: Type.String({ description: 'coin key' }),
  trade_type: Type.String({ description: 'buy or sell (question aggregate-trade-type)' }),
  price: Decimal('average price'),
  amount: Decimal('size, in the coin'),
}
type Column = keyof typeof COLUMNS

/** The columns of each indicator, in the contract's order. */
export const INDICATORS = {
  fundflow: ['time', 'value'],
  ttsi: ['time', 'buyAccount', 'sellAccount'],
  ttmu: ['time', 'buyInterest', 'sellInterest'],
  position: ['time', 'open', 'high', 'low', 'close'],
  lsur: ['time', 'sellAccount', 'buyAccount', 'ratios'],
  tvolume: ['time', 'openInterest', 'volume'],
  ftbs: ['time', 'buyVolume', 'sellVolume'],
  basis: ['time', 'basis', 'basisRate'],
  mlr: ['time', 'ratios'],
  bsv: ['time', 'buyVolume', 'sellVolume'],
  fr: ['fundingTime', 'time', 'fundingRate'],
  aibst: ['timestamp', 'buyAccount', 'sellAccount'],
  aili: ['timestamp', 'buySize', 'sellSize'],
  aiaggtrade: ['timestamp', 'key', 'coin_type', 'trade_type', 'price', 'amount', 'value'],
} as const satisfies Record<string, readonly Column[]>
export type IndicatorKey = keyof typeof INDICATORS

export const INDICATOR_KEYS = Object.keys(INDICATORS) as IndicatorKey[]

/** One interval of an indicator: its columns, text but for the times. */
export type IndicatorRecord = { [Name in Column]?: string | number }

type Lists = { [Name in Column]?: (string | number)[] }

const optional = (make: (schema: TSchema) => TSchema) =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([name, schema]) => [name, Type.Optional(make(schema))]),
  )

/** The columns of the indicator, by the answer to `indicator-form` as lists or in records. */
export const IndicatorData = Type.Unsafe<Lists | IndicatorRecord[]>(
  Type.Union([
    Type.Object(
      optional((schema) => Type.Array(schema)),
      { ...exact, description: 'a list for each column of the indicator' },
    ),
    Type.Array(
      Type.Object(
        optional((schema) => schema),
        exact,
      ),
    ),
  ]),
)

/** An indicator's key; what other text is answered is an open question. */
export const AnyIndicator = Type.Union([
  OneOf(INDICATOR_KEYS, 'key of an indicator'),
  Type.String({ description: 'any other has no records (question indicator-unknown)' }),
])

const isIndicator = (key: string): key is IndicatorKey => Object.hasOwn(INDICATORS, key)

interface Asked extends Static<typeof Part> {
  symbol: string
  indicator_key: string
}

/** Records of an indicator in the form in force, or what `indicator-unknown` says. */
export function indicatorData(asked: Asked, { indicators, moment }: Facts) {
  const { symbol, indicator_key: key } = asked
  if (!isIndicator(key)) return unknown(refuseKey, { kline_data: {} }, moment.answers)
  const records = indicators.records({ ...wish(asked), key })
  const answer = { kline_data: formed(records ?? [], key, moment.answers) }
  return records === null ? unknown(refuseSymbol(symbol), answer, moment.answers) : answer
}

/** Pairs that have an indicator, or what `indicator-unknown` says of another indicator. */
export function indicatorPairs(coinType: string, key: string, { indicators, moment }: Facts) {
  if (!isIndicator(key)) return unknown(refuseKey, { list: [] }, moment.answers)
  const isSplit = moment.answers['trading-pair-parts'] === 'split'
  const list = indicators
    .pairs(coinType, key)
    .map(({ symbol, name }) => (isSplit ? symbol.split(':') : [symbol, name]) as [string, string])
  return { list }
}

/** Candles in the form in force, or what `indicator-unknown` says. */
export function klineData(asked: Omit<Asked, 'indicator_key'>, { indicators, moment }: Facts) {
  const rows = indicators.klines(wish(asked))
  if (rows === null) return unknown(refuseSymbol(asked.symbol), { kline_data: [] }, moment.answers)
  const isText = moment.answers['kline-numbers'] === 'text'
  return { kline_data: isText ? rows : rows.map((row) => row.map(Number) as NumberRow) }
}

const refuseKey: Refusal<'invalid'> = {
  refused: 'invalid',
  parameter: 'indicator_key',
  expected: `one of ${INDICATOR_KEYS.join(', ')}`,
}

function unknown<T, R extends Refusal>(refusal: R, nothing: T, answers: Answers): T | R {
  return answers['indicator-unknown'] === 'refuse' ? refusal : nothing
}

function formed(records: IndicatorRecord[], key: IndicatorKey, answers: Answers) {
  if (answers['indicator-form'] === 'records') return records
  const lists = INDICATORS[key].map((name) => [name, records.map((one) => one[name])])
  return Object.fromEntries(lists) as Lists
}

const wish = ({ symbol, period, size, open_time, since }: Omit<Asked, 'indicator_key'>) => ({
  ...{ symbol, periodS: period, size, sinceS: since },
  openHour: open_time,
})

/** Which part of a k-line is asked for. */
export const part = {
  period: Usual(
    meant(
      'interval',
      Type.Integer({
        description: 'length of an interval, s',
        minimum: 1,
        maximum: 31_536_000,
        examples: [60, 300, 900, 3600, 86400],
      }),
      { 'x-length': 's' },
    ),
    3600,
  ),
  size: Limit({ default: 100, max: 500 }, 'intervals at most'),
  open_time: Usual(
    Type.Union([Type.Literal(0), Type.Literal(8)], {
      description: 'hour of the day in Beijing at which days begin',
    }),
    0,
  ),
  since: meant(
    'rangeEnd',
    Type.Optional(TimeS('the newest interval contains this, s; the present when left out')),
  ),
}
const Part = Type.Object(part)

type NumberRow = [number, number, number, number, number, number]

const row = (value: () => TSchema) =>
  Type.Tuple([TimeS('beginning of the interval, s'), value(), value(), value(), value(), value()], {
    description: 'time, open, high, low, close, volume in the coin',
  })

/** Rows of numbers, or of text by the answer to `kline-numbers`. */
export const KlineRow = Type.Unsafe<NumberRow | KlineValues>(
  Type.Union([row(() => Type.Number()), row(() => Decimal())]),
)
