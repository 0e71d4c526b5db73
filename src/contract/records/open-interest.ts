import { Coin, Decimal, type Static, TimeMs, Type } from '../schema.ts'

const exact = { additionalProperties: false }

const sums = {
  positionCount: Type.Integer({ description: 'open positions' }),
  longPv: Decimal('value of the long positions at the mark price, USD'),
  shortPv: Decimal('value of the short positions at the mark price, USD'),
  totalPv: Decimal('longPv + shortPv, USD'),
  avgPv: Decimal('totalPv over positionCount, USD'),
}

/** All open positions of the venue. */
export const InterestSummary = Type.Object(sums, { ...exact, title: 'InterestSummary' })
export type InterestSummary = Static<typeof InterestSummary>

/** The open positions of one coin. */
export const CoinInterest = Type.Object(
  { coin: Coin(), ...sums },
  { ...exact, title: 'CoinInterest' },
)
export type CoinInterest = Static<typeof CoinInterest>

/** The open positions of one coin at an instant of the past, or now. */
export const InterestPoint = Type.Object(
  {
    time: TimeMs(),
    coin: Coin(),
    positionCount: sums.positionCount,
    longCount: Type.Integer({ description: 'open long positions' }),
    longPv: sums.longPv,
    totalPv: Decimal('value of all open positions at the mark price, USD'),
    avgPv: sums.avgPv,
  },
  { ...exact, title: 'InterestPoint' },
)
export type InterestPoint = Static<typeof InterestPoint>
