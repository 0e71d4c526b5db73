/** Signals of the market (the service's documentation, Signals). */
import { Decimal, Digits, OneOf, type Static, TimeMsDigits, TimeSDigits, Type } from '../schema.ts'

const exact = { additionalProperties: false }

/** Each type of change, and what it tells. */
export const CHANGE_TYPES = {
  1: 'high-volume breakout up',
  2: 'breakdown down',
  3: 'intraday surge',
  4: 'intraday plunge',
  5: 'quick rebound',
  6: 'high-level waterfall drop',
  7: 'recent new high',
  8: 'recent new low',
  9: 'rapid pump',
  10: 'rapid dump',
  11: 'large buy orders',
  12: 'large sell orders',
  17: 'rapid inflow',
  18: 'rapid outflow',
  23: 'large long liquidation',
  24: 'large short liquidation',
} as const
export type ChangeType = `${keyof typeof CHANGE_TYPES}`

/** The parameter that chooses one of them. */
export const ChangeTypeWord = OneOf(
  Object.keys(CHANGE_TYPES) as ChangeType[],
  Object.entries(CHANGE_TYPES)
    .map(([type, tells]) => `${type} ${tells}`)
    .join(', '),
)

/** Something sudden that happened to a pair. */
export const ChangeSignal = Type.Object(
  {
    id: Digits('rising with the time'),
    key: Type.String({ description: 'pair' }),
    created_at: TimeSDigits('when it came true, s, as text'),
    show: Type.String({ description: 'ticker symbol' }),
    currency_str: Type.String({ description: 'currency of the price' }),
    type: Digits('type that was asked for'),
    price: Decimal('price then'),
    trade: Decimal('turnover of the 24 hours before it'),
    degree_24h: Decimal('change over the 24 hours before it, percent'),
  },
  { ...exact, title: 'ChangeSignal' },
)
export type ChangeSignal = Static<typeof ChangeSignal>

export const STRATEGY_KEYS = [
  'depth_win_one',
  'depth_win_two',
  'depth_buy_one',
  'order_buy_one',
  'td_buy_one',
  'lsur_one',
] as const
export type StrategyKey = (typeof STRATEGY_KEYS)[number]

/** The columns of a row. */
export const STRATEGY_MAPPING = [
  'id',
  'signal_time',
  'signal_type',
  'side',
  'capital_rate',
  'history_win_rate',
  'advise_win_rate',
  'advise_loss_rate',
  'state',
  'price',
] as const

type StrategyMapping = [...typeof STRATEGY_MAPPING]

const text = (description: string) => Type.String({ description })

/** A signal of a strategy: texts in the order of `mapping`. */
export const StrategyRow = Type.Tuple(
  [
    Digits('id, rising with the time'),
    TimeMsDigits('signal_time, ms, as text'),
    text('signal_type: the strategy'),
    text('side: buy or sell'),
    Decimal('capital_rate: part of the capital to be put in'),
    Decimal('history_win_rate: part of the earlier signals that won'),
    Decimal('advise_win_rate: gain at which to close, part of the price'),
    Decimal('advise_loss_rate: loss at which to close, part of the price'),
    text('state: running, won or lost'),
    Decimal('price, USD'),
  ],
  { title: 'StrategyRow' },
)
export type StrategyRow = Static<typeof StrategyRow>

/** Signals of a strategy. */
export const StrategyPage = Type.Object(
  {
    mapping: Type.Unsafe<StrategyMapping>(
      Type.Tuple(STRATEGY_MAPPING.map((name) => Type.Literal(name))),
    ),
    list: Type.Array(StrategyRow, { description: '100 at most' }),
    supportList: Type.Array(
      Type.Object(
        {
          strategy: OneOf([...STRATEGY_KEYS], 'a strategy'),
          coinType: Type.String({ description: 'key of a coin that it is followed for' }),
          category: Type.Union([Type.Literal('spot'), Type.Literal('futures')]),
        },
        exact,
      ),
    ),
    latest_time: TimeMsDigits('to be given in the next call, ms, as text'),
  },
  { ...exact, title: 'StrategyPage' },
)
export type StrategyPage = Static<typeof StrategyPage>
