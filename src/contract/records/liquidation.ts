import { Address, Coin, Decimal, IdOf, type Static, TimeIso, TimeMs, Type } from '../schema.ts'
import { cellsOf } from './futures-history.ts'

const exact = { additionalProperties: false }

const sums = {
  addresses: Type.Integer({ description: 'accounts that were liquidated' }),
  shortLiquidations: Type.Integer({ description: 'forced closings of short positions' }),
  longLiquidations: Type.Integer({ description: 'forced closings of long positions' }),
  totalFilled: Decimal('value of what was closed, USD'),
  longFilled: Decimal('that of long positions, USD'),
  shortFilled: Decimal('that of short positions, USD'),
  totalPnl: Decimal('what the accounts realised by it, USD'),
  longPnl: Decimal('that of long positions, USD'),
  shortPnl: Decimal('that of short positions, USD'),
}

/** Forced closings of a span of time. */
export const LiquidationStat = Type.Object(
  { startTime: TimeIso('beginning of the span, ISO 8601 in whole seconds'), ...sums },
  { ...exact, title: 'LiquidationStat' },
)
export type LiquidationStat = Static<typeof LiquidationStat>

/** Forced closings of a coin in a span of time. */
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
    liqPrice: Decimal('liquidation price right before'),
    liquidatedVal: Decimal('value of what was closed, USD'),
    pnl: Decimal('what the account realised by it, USD'),
    startPosition: Decimal('signed position before'),
    endPosition: Decimal('signed position after'),
  },
  { ...exact, title: 'LiquidatedPosition' },
)
export type LiquidatedPosition = Static<typeof LiquidatedPosition>

/** Forced closings of a stretch of time, by the price at which they were carried out. */
export const LiquidationColumn = Type.Object(
  { time: TimeMs('beginning of the stretch, ms'), coin: Coin(), ...cellsOf },
  { ...exact, title: 'LiquidationColumn' },
)
export type LiquidationColumn = Static<typeof LiquidationColumn>

/** Where the open positions of a coin would be liquidated. */
export const LiquidationMap = Type.Object(
  {
    coin: Coin(),
    time: TimeMs('when it was reckoned: the present'),
    markPx: Decimal('mark price'),
    ...cellsOf,
    longTotal: Decimal('sum of the long cells, USD'),
    shortTotal: Decimal('sum of the short cells, USD'),
  },
  { ...exact, title: 'LiquidationMap' },
)
export type LiquidationMap = Static<typeof LiquidationMap>
