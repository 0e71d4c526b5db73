import { Address, Decimal, Nullable, type Static, TimeMs, Type } from '../schema.ts'
import { PnlCurve } from './pnl-curve.ts'

const exact = { additionalProperties: false }

const account = {
  address: Address(),
  builderPerpValue: Decimal('equity on builder dexes, not in totalValue, USD'),
  currentPosition: Type.Integer({ description: 'open positions on the main dex' }),
  effLeverage: Decimal('position value over equity on the main dex'),
  lastOperationAt: TimeMs('newest order or fill, ms; 0 before the first'),
  leverage: Nullable(Decimal('always null')),
  marginUsage: Decimal('margin used on the main dex, USD'),
  marginUsageRate: Decimal('margin used over equity on the main dex, a fraction'),
  perpValue: Decimal('equity on the main dex, USD'),
  spotValue: Decimal('spot balances at their prices, USD'),
  totalValue: Decimal('net value of the account, USD'),
}

/** What an account is worth (the service's documentation, Account). */
export const TraderAccount = Type.Object(account, { ...exact, title: 'TraderAccount' })
export type TraderAccount = Static<typeof TraderAccount>

/**
 * What an account is worth and how it traded in a period (the service's documentation, Statistics).
 */
export const TraderStatistics = Type.Object(
  {
    ...account,
    avgHoldingSec: Type.Integer({ description: 'mean time a closed position was held, seconds' }),
    longPnl: Decimal('realised by long positions, USD'),
    longWr: Decimal('part of the long positions that gained, a fraction'),
    pnlList: Nullable(PnlCurve),
    positions: Type.Integer({ description: 'positions closed' }),
    profitPositions: Type.Integer({ description: 'of these, with a profit' }),
    realizedPnl: Decimal('realised by positions closed, without fees and funding, USD'),
    shortPnl: Decimal('realised by short positions, USD'),
    shortWr: Decimal('part of the short positions that gained, a fraction'),
    winRate: Decimal('profitPositions / positions, a fraction'),
  },
  { ...exact, title: 'TraderStatistics' },
)
export type TraderStatistics = Static<typeof TraderStatistics>
