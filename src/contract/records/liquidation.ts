import { Address, Coin, Decimal, IdOf, type Static, TimeIso, TimeMs, Type } from '../schema.ts'
import { cellsOf } from './futures-history.ts'

const exact = { additionalProperties: false }

const sums = {
  addresses: Type.Integer({ description: 'accounts that were liquidated' }),
  shortLiquidations: Type.Integer({ description: 'forced closings of short positions' }),
  longLiquidations: Type.Integer({ description: 'forced closings of long positions' }),
  totalFilled: Decimal('value closed, USD'),
  longFilled: Decimal('value of long positions closed, USD'),
  shortFilled: Decimal('value of short positions closed, USD'),
  totalPnl: Decimal('realised PnL of the accounts, USD'),
  longPnl: Decimal('realised PnL of long positions, USD'),
  shortPnl: Decimal('realised PnL of short positions, USD'),
}

/** Liquidations of a span of time. */
export const LiquidationStat = Type.Object(
  { startTime: TimeIso('beginning of the span, ISO 8601 in whole seconds'), ...sums },
  { ...exact, title: 'LiquidationStat' },
)
export type LiquidationStat = Static<typeof LiquidationStat>

/** Liquidations of a coin in a span of time. */
export const CoinLiquidationStat = Type.Object(
  { coin: Coin(), ...sums },
  { ...exact, title: 'CoinLiquidationStat' },
)
export type CoinLiquidationStat = Static<typeof CoinLiquidationStat>

/** A position that was liquidated. */
export const LiquidatedPosition = Type.Object(
  {
    time: TimeMs(),
    address: Address(),
    coin: Coin(),
    direction: Type.Union([Type.Literal('long'), Type.Literal('short')]),
    oid: IdOf('order', Type.Integer({ description: 'order that closed it' })),
    liqPrice: Decimal('liquidation price directly before'),
    liquidatedVal: Decimal('value closed, USD'),
    pnl: Decimal('realised PnL of the account, USD'),
    startPosition: Decimal('signed position before'),
    endPosition: Decimal('signed position after'),
  },
  { ...exact, title: 'LiquidatedPosition' },
)
export type LiquidatedPosition = Static<typeof LiquidatedPosition>

/** Liquidations of an interval of time, by execution price. */
export const LiquidationColumn = Type.Object(
  { time: TimeMs('beginning of the interval, ms'), coin: Coin(), ...cellsOf },
  { ...exact, title: 'LiquidationColumn' },
)
export type LiquidationColumn = Static<typeof LiquidationColumn>

/** Liquidation prices of the open positions of a coin. */
export const LiquidationMap = Type.Object(
  {
    coin: Coin(),
    time: TimeMs('time of the calculation: the present'),
    markPx: Decimal('mark price'),
    ...cellsOf,
    longTotal: Decimal('sum of the long cells, USD'),
    shortTotal: Decimal('sum of the short cells, USD'),
  },
  { ...exact, title: 'LiquidationMap' },
)
export type LiquidationMap = Static<typeof LiquidationMap>
