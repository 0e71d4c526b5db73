/**
 * How large the derivatives of other exchanges are beside those of the tape's own venue.
 *
 * The tape knows one venue. Each exchange derived from it holds a fixed share of the venue's open
 * interest, turnover and liquidations, near the depth of its books, so that whatever is said of the
 * whole market is the sum of what is said of each exchange.
 */
import { portion, type Usd } from '../../decimal/quantity.ts'
import { mulDiv } from '../../decimal/scaled.ts'
import { randomSource } from '../../random/random-source.ts'
import { perWorld } from '../per-world.ts'
import type { InstrumentRow } from '../schema.ts'
import { EXCHANGES, type Exchange } from './derived-books.ts'

/** Shares are counted in ten-thousandths of the venue's own. */
export const SHARE_SCALE = 10_000

/** Per coin and exchange; null is the tape's own venue. */
export interface ExchangeShares {
  /** Of contracts settled in a stablecoin, in ten-thousandths of the venue's. */
  stablecoinShare(exchange: Exchange | null, of: InstrumentRow): number
  /** Of contracts settled in the coin; the venue itself has none. */
  coinMarginShare(exchange: Exchange | null, of: InstrumentRow): number
  /** What a liquidation of the venue amounted to elsewhere. */
  liquidationShare(exchange: Exchange | null, of: InstrumentRow, row: LiquidationKey): Usd
}

/** A row of the table of liquidations. */
export interface LiquidationKey {
  id: number
  notional: Usd
}

/** The shares of a world; they belong to its seed and never change. */
export const exchangeSharesOf = perWorld(({ meta: { seed } }): ExchangeShares => {
  const drawn = memoizedSource((name) => randomSource(seed, name))
  const stable = (exchange: Exchange | null, of: InstrumentRow) =>
    exchange === null
      ? SHARE_SCALE
      : exchange.depth * drawn(`share of ${exchange.key} in ${of.coin}`, 90, 110)
  const coin = (exchange: Exchange | null, of: InstrumentRow) =>
    exchange === null
      ? 0
      : mulDiv(stable(exchange, of), drawn(`coin share of ${exchange.key}`, 6, 30), 100)
  const liquidated = (
    exchange: Exchange | null,
    of: InstrumentRow,
    { id, notional }: LiquidationKey,
  ) => {
    if (exchange === null) return notional
    const percent = drawn(`liquidation ${id} on ${exchange.key}`, 60, 140)
    return portion(notional, stable(exchange, of) * percent, SHARE_SCALE * 100)
  }
  return { stablecoinShare: stable, coinMarginShare: coin, liquidationShare: liquidated }
})

/** Exchanges that list a contract on the coin: those of the main dex; null is the own venue. */
export function exchangesListing(of: InstrumentRow): (Exchange | null)[] {
  return of.dex === '' ? [null, ...EXCHANGES] : [null]
}

/** Draws by name, each drawn once. */
function memoizedSource(make: (name: string) => ReturnType<typeof randomSource>) {
  const known = new Map<string, number>()
  return (name: string, low: number, high: number): number => {
    const before = known.get(name)
    if (before !== undefined) return before
    const value = make(name).between(low, high)
    known.set(name, value)
    return value
  }
}
