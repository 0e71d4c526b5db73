/** Signals of the market (the service's documentation, Signals). */
import { Decimal, Digits, OneOf, type Static, TimeMsDigits, TimeSDigits, Type } from '../schema.ts'

const exact = { additionalProperties: false }

const sub = 'indicatorKey:period:triggerKey:params'

/** An alert that has fired. */
export const SignalAlert = Type.Object(
  {
    tp_key: Type.String({ description: 'pair' }),
    sub_type: Type.String({ description: sub }),
    side: Type.Union([Type.Literal('sell'), Type.Literal('buy')]),
    ews_price: Decimal('price when it fired'),
    ews_time: TimeSDigits('when it fired, s, as text'),
  },
  { ...exact, title: 'SignalAlert' },
)
export type SignalAlert = Static<typeof SignalAlert>

/** An alert that is set. */
export const AlertSetItem = Type.Object(
  {
    id: Type.String(),
    tpKey: Type.String({ description: 'pair' }),
    setPrice: Decimal('price when it was set'),
    subType: Type.String({ description: sub }),
    setTime: TimeSDigits('when it was set, s, as text'),
  },
  { ...exact, title: 'AlertSetItem' },
)
export type AlertSetItem = Static<typeof AlertSetItem>

/** An indicator and its triggers. */
export const AlertIndicator = Type.Object(
  {
    config: Type.Array(
      Type.Object(
        {
          appPicLink: Type.String({ description: 'address of a small picture' }),
          label: Type.String({ description: 'the condition' }),
          name: Type.String({ description: 'the same with its indicator' }),
          picLink: Type.String({ description: 'address of a picture' }),
          signalType: Type.String({ description: 'buy or sell: the side of the alert' }),
          triggerKey: Type.String({ description: 'third part of a subType' }),
        },
        exact,
      ),
    ),
    indicatorKey: Type.String({ description: 'first part of a subType' }),
    label: Type.String({ description: 'short name' }),
    name: Type.String(),
    sort: Type.Integer({ description: 'place in the list, from 1' }),
  },
  { ...exact, title: 'AlertIndicator' },
)
export type AlertIndicator = Static<typeof AlertIndicator>

/** The success of a call: the contract has it as text. */
export const AlertResult = Type.Object(
  {
    result: Type.Union([Type.Literal('true'), Type.Literal('false')], {
      description: '"true" or "false" as text',
    }),
  },
  { ...exact, title: 'AlertResult' },
)

/** Each type of change with its meaning. */
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

/** The parameter that selects a type. */
export const ChangeTypeWord = OneOf(
  Object.keys(CHANGE_TYPES) as ChangeType[],
  Object.entries(CHANGE_TYPES)
    .map(([type, tells]) => `${type} ${tells}`)
    .join(', '),
)

/** A sudden change of a pair. */
export const ChangeSignal = Type.Object(
  {
    id: Digits('rising with the time'),
    key: Type.String({ description: 'pair' }),
    created_at: TimeSDigits('when it became true, s, as text'),
    show: Type.String({ description: 'ticker symbol' }),
    currency_str: Type.String({ description: 'currency of the price' }),
    type: Digits('the requested type'),
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
    Decimal('capital_rate: fraction of the capital to invest'),
    Decimal('history_win_rate: fraction of the earlier signals that won'),
    Decimal('advise_win_rate: gain at which to close, fraction of the price'),
    Decimal('advise_loss_rate: loss at which to close, fraction of the price'),
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
          coinType: Type.String({ description: 'key of a supported coin' }),
          category: Type.Union([Type.Literal('spot'), Type.Literal('futures')]),
        },
        exact,
      ),
    ),
    latest_time: TimeMsDigits('for the next call, ms, as text'),
  },
  { ...exact, title: 'StrategyPage' },
)
export type StrategyPage = Static<typeof StrategyPage>
