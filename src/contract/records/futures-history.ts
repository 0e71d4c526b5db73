import { type MeaningDetails, meant } from '../meaning.ts'
import { Decimal, Limit, OneOf, type Static, TimeMs, TimeSDigits, Type } from '../schema.ts'

const Point = Type.Object(
  { time: TimeSDigits('end of an hour, or the present, s'), close: Decimal('open interest then') },
  { title: 'ExchangeInterest', additionalProperties: false },
)

/** A perpetual pair and its open interest (the service's documentation, Futures interest item). */
export const FuturesInterest = Type.Object(
  {
    key: Type.String({ description: 'dbKey of the pair' }),
    show: Type.String({ description: 'ticker symbol of the coin' }),
    currency: Type.String({ description: 'what the pair is quoted in' }),
    market_name: Type.String({ description: 'name of the exchange' }),
    trade: Decimal('value of the open interest, in the requested currency'),
    vol_coin: Decimal('open interest, in the coin'),
    trend: Type.Array(Point, { description: 'open interest over 24 hours, oldest first' }),
  },
  { title: 'FuturesInterest', additionalProperties: false },
)
export type FuturesInterest = Static<typeof FuturesInterest>

const exact = { additionalProperties: false }

/** An interval of a history (the service's documentation, Candle-like history records). */
export const HistoryCandle = Type.Object(
  {
    time: TimeMs('beginning of the interval, ms'),
    open: Decimal('value when it began'),
    high: Decimal('highest'),
    low: Decimal('lowest'),
    close: Decimal('value when it ended, or the present one'),
  },
  { ...exact, title: 'HistoryCandle' },
)
export type HistoryCandle = Static<typeof HistoryCandle>

/** Liquidations of an interval. */
export const LiquidationBucket = Type.Object(
  {
    time: TimeMs('beginning of the interval, ms'),
    long_liquidation_usd: Decimal('value of the long positions liquidated, USD'),
    short_liquidation_usd: Decimal('value of the short positions liquidated, USD'),
  },
  { ...exact, title: 'LiquidationBucket' },
)
export type LiquidationBucket = Static<typeof LiquidationBucket>

const LiquidationCell = Type.Union(
  [
    Type.Tuple([Decimal('from'), Decimal('to'), Decimal('turnover, USD')]),
    Type.Tuple([Type.Number(), Type.Number(), Type.Number()]),
  ],
  { title: 'LiquidationCell', description: 'from, to (prices, half-open) and turnover in USD' },
)
export type LiquidationCell = Static<typeof LiquidationCell>

/** The common fields of liquidation maps. */
export const cellsOf = {
  mapping: Type.Tuple([Type.Literal('from'), Type.Literal('to'), Type.Literal('turnover')]),
  short: Type.Array(LiquidationCell, { description: 'short positions, ascending by price' }),
  long: Type.Array(LiquidationCell, { description: 'long positions, ascending by price' }),
}

const LiquidationCells = Type.Object(cellsOf, { ...exact, title: 'LiquidationCells' })

/** Estimated liquidation prices of positions by leverage. */
export const EstimatedLiquidation = Type.Object(
  {
    time: TimeMs('beginning of the 15 minutes, ms'),
    data_map: Type.Object(
      {
        '10': Type.Optional(LiquidationCells),
        '25': Type.Optional(LiquidationCells),
        '50': Type.Optional(LiquidationCells),
        '100': Type.Optional(LiquidationCells),
      },
      { ...exact, description: 'by leverage' },
    ),
    timestamp: TimeMs('time of the calculation: the end of the 15 minutes, or the present, ms'),
  },
  { ...exact, title: 'EstimatedLiquidation' },
)
export type EstimatedLiquidation = Static<typeof EstimatedLiquidation>

/** Intervals of funding rates and of open interest in stablecoin contracts. */
export const Intervals = meant(
  'interval',
  OneOf(
    ['1m', '3m', '5m', '15m', '30m', '1h', '4h', '6h', '8h', '12h', '1d', '1w'],
    'length of an interval',
  ),
)

/** Intervals of liquidations and of open interest in coin-margined contracts. */
export const ShortIntervals = meant(
  'interval',
  OneOf(['1m', '2m', '15m', '30m'], 'length of an interval'),
)

/** The requested part of a history; the first and last interval contain the two instants. */
export const historyRange = (
  limit: { default: number; max?: number },
  details?: MeaningDetails,
) => ({
  limit: meant('pageSize', Limit({ max: 1000, ...limit }, 'intervals at most'), details),
  start_time: meant(
    'rangeStart',
    Type.Optional(TimeMs('not before the interval that contains this, ms')),
  ),
  end_time: meant(
    'rangeEnd',
    Type.Optional(TimeMs('not after the interval that contains this, ms')),
  ),
})
