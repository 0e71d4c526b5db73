import { meant } from '../meaning.ts'
import {
  Address,
  Coin,
  Decimal,
  Nullable,
  NullableDecimal,
  OneOf,
  type Static,
  TimeIso,
  TimeMs,
  TimeMsDigits,
  Type,
} from '../schema.ts'

const exact = { additionalProperties: false }

/** Windows of a portfolio. */
export const CurveWindow = meant(
  'rangeLength',
  OneOf(['day', 'week', 'month', 'allTime'], 'how far back'),
  { 'x-length': 'window' },
)
export type CurveWindow = Static<typeof CurveWindow>

/** The scope of a PnL: all sub-accounts, or those of perpetuals only. */
export const CurveScope = OneOf(['all', 'perp'], 'all sub-accounts, or those of perpetuals only')
export type CurveScope = Static<typeof CurveScope>

const CurvePoint = Type.Object(
  { time: TimeMs(), value: Decimal('USD') },
  { ...exact, title: 'CurvePoint' },
)

/** Curves of an account, oldest first, the present last. */
export const PortfolioCurve = Type.Object(
  {
    accountValue: Type.Array(CurvePoint, { description: 'net value of the account' }),
    pnl: Type.Array(CurvePoint, { description: 'PnL since the first point' }),
  },
  { ...exact, title: 'PortfolioCurve' },
)
export type PortfolioCurve = Static<typeof PortfolioCurve>

/** A point of a PnL curve, with the documented names. */
const PnlPoint = Type.Object(
  { time: TimeMs(), pnl: Decimal('USD, cumulative') },
  { ...exact, title: 'PnlPoint' },
)

/** A point with the short names that were observed. */
const ShortPnlPoint = Type.Object(
  { ts: TimeMs(), v: Decimal('USD, cumulative') },
  { ...exact, title: 'ShortPnlPoint' },
)

/** Oldest first, from 0; one form of point, by the question `pnl-point-names`. */
export const PnlCurve = Type.Union([Type.Array(PnlPoint), Type.Array(ShortPnlPoint)], {
  title: 'PnlCurve',
})
export type PnlCurve = Static<typeof PnlCurve>

/** The curve of one of several accounts. */
export const AddressPnls = Type.Object(
  { address: Address(), pnls: PnlCurve },
  { ...exact, title: 'AddressPnls' },
)
export type AddressPnls = Static<typeof AddressPnls>

const Extreme = Type.Object(
  { time: TimeIso(), value: Decimal('account value, USD') },
  { ...exact, title: 'DrawdownExtreme' },
)

/** The maximum drawdown of an account's PnL. */
export const Drawdown = Type.Object(
  {
    high: Extreme,
    low: Extreme,
    maxDrawdown: Decimal('fraction of the high plus net inflow'),
    netIn: Decimal('net inflow, USD'),
  },
  { ...exact, title: 'Drawdown' },
)
export type Drawdown = Static<typeof Drawdown>

const capitalisedDrawdown = {
  Address: Address(),
  High: Extreme,
  Low: Extreme,
  MaxDrawdown: Decimal('fraction of the high plus net inflow'),
  NetIn: Decimal('net inflow, USD'),
}

/** The drawdown of one of several accounts, with capitalised names or both. */
export const AddressDrawdown = Type.Union(
  [
    Type.Object(capitalisedDrawdown, exact),
    Type.Object({ ...capitalisedDrawdown, address: Address(), ...Drawdown.properties }, exact),
  ],
  { title: 'AddressDrawdown' },
)
export type AddressDrawdown = Static<typeof AddressDrawdown>

/** Net inflow. */
export const NetFlow = Type.Object(
  {
    netPerpIn: Decimal('into accounts of perpetuals, USD'),
    netSpotIn: Decimal('into the spot account, tokens at their value then, USD'),
  },
  { ...exact, title: 'NetFlow' },
)
export type NetFlow = Static<typeof NetFlow>

/** Net inflow of one of several accounts. */
export const AddressNetFlow = Type.Object(
  { address: Address(), ...NetFlow.properties },
  { ...exact, title: 'AddressNetFlow' },
)
export type AddressNetFlow = Static<typeof AddressNetFlow>

const header = {
  address: Address(),
  coin: Coin(),
  direction: Type.Union([Type.Literal('long'), Type.Literal('short')]),
  cross: Type.Boolean({ description: 'false on isolated margin' }),
  startTime: TimeIso('when it was opened'),
  endTime: Type.Optional(TimeIso('when it was closed; of completed ones only')),
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
 * Executions on a position by intervals (the service's documentation, Position executions record).
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

const TradeDirection = Type.Union([Type.Literal('long'), Type.Literal('short')], {
  title: 'TradeDirection',
})

const tradeResultFields = {
  coin: Coin(),
  side: TradeDirection,
  entryPrice: Decimal('average opening price'),
  exitPrice: Decimal('average closing price'),
  pnl: Decimal('price PnL in USD, without fees and funding'),
  pnlPercent: Decimal('pnl over the entry notional, percent'),
  openTime: TimeMs('when it was opened'),
  closeTime: TimeMs('when it was closed'),
}

/** A position from open to flat. */
export const CompletedTrade = Type.Object(
  { ...tradeResultFields, size: Decimal('total opened size') },
  { title: 'CompletedTrade', additionalProperties: false },
)
export type CompletedTrade = Static<typeof CompletedTrade>

/** One of the best trades. */
export const BestTrade = Type.Object(tradeResultFields, {
  title: 'BestTrade',
  additionalProperties: false,
})
export type BestTrade = Static<typeof BestTrade>

/** A page of completed trades. */
export const TradePage = Type.Object(
  {
    list: Type.Array(CompletedTrade),
    total: Type.Integer(),
    pageNum: Type.Integer(),
    pageSize: Type.Integer(),
  },
  { title: 'TradePage', additionalProperties: false },
)
export type TradePage = Static<typeof TradePage>

/** The form in which the service was observed to list them. */
export const ObservedCompletedTrade = Type.Object(
  {
    coin: Coin(),
    direction: TradeDirection,
    entryPrice: Decimal('average opening price'),
    closePrice: Decimal('average closing price'),
    size: Decimal('total opened size'),
    pnl: Decimal('price PnL in USD'),
    totalFee: Decimal('fees, USD'),
    marginMode: Type.Union([Type.Literal('cross'), Type.Literal('isolated')]),
    startTime: TimeMsDigits('when it was opened, ms'),
    endTime: TimeMsDigits('when it was closed, ms'),
  },
  { title: 'ObservedCompletedTrade', additionalProperties: false },
)
export type ObservedCompletedTrade = Static<typeof ObservedCompletedTrade>

/** Results of a coin. */
export const CoinPerformance = Type.Object(
  {
    coin: Coin(),
    tradeCount: Type.Integer(),
    winCount: Type.Integer(),
    lossCount: Type.Integer(),
    winRate: Decimal('winners, percent'),
    totalPnl: Decimal('USD'),
    avgPnl: Decimal('USD'),
  },
  { title: 'CoinPerformance', additionalProperties: false },
)
export type CoinPerformance = Static<typeof CoinPerformance>

const statFields = {
  closePosCount: Type.Integer({ description: 'positions closed in the period' }),
  maxDrawdown: Decimal('fraction'),
  orderCount: Type.Integer({ description: 'orders placed in the period' }),
  totalPnl: Decimal('price PnL of the positions closed, USD'),
  winRate: Decimal('fraction of the positions closed'),
}

/** Figures of an account over a period. */
export const AddressStat = Type.Object(
  { avgPosDuration: Decimal('seconds'), ...statFields },
  { title: 'AddressStat', additionalProperties: false },
)
export type AddressStat = Static<typeof AddressStat>

/** The figures in a batch, where the duration is a number. */
export const BatchAddressStat = Type.Object(
  { address: Address(), avgPosDuration: Type.Integer({ description: 'seconds' }), ...statFields },
  { title: 'BatchAddressStat', additionalProperties: false },
)
export type BatchAddressStat = Static<typeof BatchAddressStat>
