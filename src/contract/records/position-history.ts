import {
  Address,
  Coin,
  Decimal,
  Nullable,
  NullableDecimal,
  type Static,
  TimeIso,
  TimeMs,
  Type,
} from '../schema.ts'

const header = {
  address: Address(),
  coin: Coin(),
  direction: Type.Union([Type.Literal('long'), Type.Literal('short')]),
  cross: Type.Boolean({ description: 'false on isolated margin' }),
  startTime: TimeIso('when it was opened'),
  endTime: Type.Optional(TimeIso('when it was flat again; of completed ones only')),
}

const snapshot = {
  time: TimeMs(),
  size: Decimal('size, without sign'),
  leverage: Type.Integer(),
  effLeverage: Type.Optional(
    NullableDecimal("the account's notional over its value; null without value"),
  ),
  entryPrice: Decimal('average entry price'),
  positionValue: Decimal('USD'),
  unrealizedPnl: Decimal('USD'),
  returnOnEquity: Decimal('fraction of the margin at entry'),
  liquidationPx: Type.Optional(NullableDecimal('liquidation price')),
  liqPrice: Type.Optional(NullableDecimal('liquidation price')),
  marginUsed: Decimal('USD'),
  cumFunding: Decimal('funding paid since it was opened, USD'),
}

/** A position over its life (the service's documentation, Position history record). */
export const PositionHistory = Type.Object(
  { ...header, history: Type.Array(Type.Object(snapshot, { additionalProperties: false })) },
  { title: 'PositionHistory', additionalProperties: false },
)
export type PositionHistory = Static<typeof PositionHistory>
export type PositionSnapshot = PositionHistory['history'][number]

/** PnL of a position by intervals (the service's documentation, Position PnL record). */
export const PositionPnls = Type.Object(
  {
    ...header,
    interval: Type.String(),
    pnls: Type.Array(
      Type.Object(
        {
          time: TimeMs('start of the interval'),
          size: Decimal('size at its end, without sign'),
          positionValue: Decimal('USD, at its end'),
          unrealizedPnl: Decimal('USD, at its end'),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'PositionPnls', additionalProperties: false },
)
export type PositionPnls = Static<typeof PositionPnls>

/**
 * What was executed on a position by intervals (the service's documentation, Position executions
 * record).
 */
export const PositionExecutions = Type.Object(
  {
    ...header,
    interval: Type.String(),
    executions: Type.Array(
      Type.Object(
        {
          time: TimeMs('start of the interval'),
          buyCount: Type.Integer(),
          sellCount: Type.Integer(),
          buySz: Decimal('size'),
          sellSz: Decimal('size'),
          buyAvgPx: Nullable(Decimal('average price')),
          sellAvgPx: Nullable(Decimal('average price')),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { title: 'PositionExecutions', additionalProperties: false },
)
export type PositionExecutions = Static<typeof PositionExecutions>
