/** The state of a perpetual account at a moment: cash, positions, funding, prices. */

import type { TapeMs } from '../../clock/instant.ts'
import { add, type Px, type Sz, subtract, type Usd, usd, ZERO } from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import type { World } from '../world/world.ts'
import { chargeDelayMs, lateCharges, type Place } from './funding-charges.ts'
import { type PlaceQuotes, placeQuotes } from './place-quotes.ts'
import { traderHistories } from './trader-histories.ts'
import { accountOn, type HoldingHistory } from './trader-history.ts'
import { tradersOf } from './traders.ts'

/** One instrument that the trader has ever held, flat or not. Money in micro-dollars. */
export interface AccountHolding {
  instrument: InstrumentRow
  /** Signed size and cost. */
  sz: Sz
  cost: Usd
  leverage: number
  isolated: boolean
  /** Mark price, price units. */
  px: Px
  /** Funding paid up to the moment: ever, since it was opened, since it last changed. */
  funding: { allTime: Usd; sinceOpen: Usd; sinceChange: Usd }
}

export interface AccountState {
  /** In less out, plus realised PnL, less fees; funding left out. */
  cash: Usd
  /** In the order of the instruments. */
  holdings: AccountHolding[]
}

/** Reads accounts as of one moment; prices and funding indexes are read once for all of them. */
export class AccountStateReader {
  private readonly quotes: PlaceQuotes
  private readonly atMs: TapeMs
  private readonly delayMs: number

  constructor(
    private readonly world: World,
    place: Place,
  ) {
    this.atMs = place.atMs
    this.delayMs = chargeDelayMs(place)
    this.quotes = placeQuotes(world)(place)
  }

  /** The perpetual account of an address on a dex; null when the trader has none yet. */
  read(address: string, dex: string): AccountState | null {
    const trader = tradersOf(this.world).find(address)
    return trader ? this.readTrader(trader.id, dex) : null
  }

  /** The same of a trader's id. */
  readTrader(trader: number, dex: string): AccountState | null {
    const history = traderHistories(this.world).of(trader)
    const account = accountOn(history, dex)
    if (!account) return null
    const holdings: AccountHolding[] = []
    for (const one of history.holdings) {
      if (one.instrument.kind !== 'perp' || one.instrument.dex !== dex) continue
      const holding = this.holding(one)
      if (holding) holdings.push(holding)
    }
    return { cash: usd(account.cash.at(this.atMs) ?? 0), holdings }
  }

  private holding(history: HoldingHistory): AccountHolding | null {
    const row = history.lastUpTo(this.atMs)
    if (row < 0) return null
    const { instrument, leverage, isolated } = history
    const sz = history.sz(row)
    const { px, fundingIndex } = this.quotes.of(instrument)
    const since = fundingBetween(sz, history.fundingIndex(row), fundingIndex, instrument)
    const late = lateCharges(this.world, history, row, this.delayMs)
    const paid = add(history.funding(row), since)
    const sinceOpen: Usd =
      sz === ZERO ? ZERO : add(subtract(paid, history.fundingAtOpen(row)), late.sinceOpen)
    const funding = {
      allTime: add(paid, late.allTime),
      sinceOpen,
      sinceChange: add(since, late.sinceChange),
    }
    return { instrument, sz, cost: history.cost(row), leverage, px, isolated, funding }
  }
}
