/** Indicators and k-lines of pairs (the service's documentation, Indicator keys). */

import { meant } from '../meaning.ts'
import {
  Decimal,
  Limit,
  OneOf,
  type Static,
  TimeS,
  type TSchema,
  Type,
  WithDefault,
} from '../schema.ts'

const exact = { additionalProperties: false }

/** Every column of indicators. */
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
  buySize: Decimal('value of short positions liquidated, USD'),
  sellSize: Decimal('value of long positions liquidated, USD'),
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

/** The columns of an indicator as lists. */
export type IndicatorLists = { [Name in Column]?: (string | number)[] }

const optional = (make: (schema: TSchema) => TSchema) =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([name, schema]) => [name, Type.Optional(make(schema))]),
  )

/** The columns of the indicator, as lists or in records by the answer to `indicator-form`. */
export const IndicatorData = Type.Unsafe<IndicatorLists | IndicatorRecord[]>(
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

/** An indicator's key; the answer to other text is an open question. */
export const AnyIndicator = Type.Union(
  [
    OneOf(INDICATOR_KEYS, 'key of an indicator'),
    Type.String({ description: 'any other has no records (question indicator-unknown)' }),
  ],
  { title: 'AnyIndicator' },
)

/** The requested part of a k-line. */
export const klineRange = {
  period: WithDefault(
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
  open_time: WithDefault(
    Type.Union([Type.Literal(0), Type.Literal(8)], {
      description: 'hour of the day in Beijing at which days begin',
    }),
    0,
  ),
  since: meant(
    'rangeEnd',
    Type.Optional(TimeS('the newest interval contains this, s; the present by default')),
  ),
}
const KlineRange = Type.Object(klineRange, { title: 'KlineRange' })
export type KlinePart = Static<typeof KlineRange>

/** Time in s, open, high, low, close, volume in the coin. */
export type KlineNumbers = [number, number, number, number, number, number]

/** Kline values as text but for the time. */
export type KlineValues = [number, string, string, string, string, string]

const klineRowOf = (value: () => TSchema) =>
  Type.Tuple([TimeS('beginning of the interval, s'), value(), value(), value(), value(), value()], {
    description: 'time, open, high, low, close, volume in the coin',
  })

/** Rows of numbers, or of text by the answer to `kline-numbers`. */
export const KlineRow = Type.Unsafe<KlineNumbers | KlineValues>(
  Type.Union([klineRowOf(() => Type.Number()), klineRowOf(() => Decimal())]),
)
