/** The state of a perpetual account at a moment: cash, positions, funding, prices. */

import type { TapeMs } from '../../clock/instant.ts'
import {
  add,
  type FundingIndex,
  type Px,
  type Sz,
  subtract,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween } from '../accounting/funding.ts'
import { perWorld } from '../per-world.ts'
import { fill, type InstrumentRow, ledger, mark } from '../schema.ts'
import type { World } from '../world.ts'
import { columns, type RowOf } from './columns.ts'
import { chargeDelayMs, indexAt, lateCharges, type Place } from './funding-charges.ts'
import { lastPx } from './trade-rows.ts'
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

/** What the rows of an account say as of one moment. */
export interface AccountRows {
  cash(account: number): Usd
  holding(trader: number, instrument: number): Held | null
}

/** Reads accounts as of one moment; prices and funding indexes are read once for all of them. */
export class AccountStateReader {
  private readonly markQuotes = new Map<number, Quote>()
  private readonly atMs: TapeMs
  private readonly delayMs: number

  constructor(
    private readonly world: World,
    place: Place,
    private readonly rows: AccountRows = accountRowsAt(world, place.atMs),
  ) {
    this.atMs = place.atMs
    this.delayMs = chargeDelayMs(place)
  }

  /** The perpetual account of an address on a dex; null when the trader has none yet. */
  read(address: string, dex: string): AccountState | null {
    const traders = tradersOf(this.world)
    const trader = traders.find(address)
    const account = trader && traders.accountOf(trader.id, dex)
    if (!trader || account === undefined) return null
    const held = instrumentsEverHeld(this.world)(trader.id)
    const perps = held.filter((one) => one.kind === 'perp' && one.dex === dex)
    return {
      cash: this.rows.cash(account),
      holdings: perps.flatMap((one) => this.holding(trader.id, one) ?? []),
    }
  }

  private holding(trader: number, instrument: InstrumentRow): AccountHolding | null {
    const row = this.rows.holding(trader, instrument.id)
    if (!row) return null
    const { positionAfter: sz, costAfter: cost, leverage, isolated } = row
    const { px, fundingIndex } = this.quote(instrument)
    const since = fundingBetween(sz, row.fundingIndex, fundingIndex, instrument)
    const late = lateCharges(this.world, trader, instrument, this.atMs, this.delayMs)
    const paid = add(row.fundingAfter, since)
    const sinceOpen: Usd =
      sz === ZERO ? ZERO : add(subtract(paid, row.fundingAtOpen), late.sinceOpen)
    const funding = {
      allTime: add(paid, late.allTime),
      sinceOpen,
      sinceChange: add(since, late.sinceChange),
    }
    return { instrument, sz, cost, leverage, px, isolated, funding }
  }

  private quote(instrument: InstrumentRow): Quote {
    const known = this.markQuotes.get(instrument.id)
    if (known) return known
    const quote: Quote = {
      px: markPx(this.world, instrument, this.atMs) ?? ZERO,
      fundingIndex: indexAt(this.world, instrument.id, this.atMs, this.delayMs),
    }
    this.markQuotes.set(instrument.id, quote)
    return quote
  }
}

/** Mark price in price units; the last trade's while there is no mark, null without either. */
export function markPx(world: World, instrument: InstrumentRow, atMs: TapeMs): Px | null {
  return statements(world).mark.get(instrument.id, atMs)?.mark ?? lastPx(world, instrument, atMs)
}

/** Reads row by row: best for a few accounts. */
export function accountRowsAt(world: World, atMs: TapeMs): AccountRows {
  const { cashByFill, cashByLedger, held } = statements(world)
  return {
    cash(account) {
      const fill = cashByFill.get(account, atMs)
      const entry = cashByLedger.get(account, atMs)
      if (!fill || !entry) return (fill ?? entry)?.cashAfter ?? ZERO
      const gapMs = entry.timeMs - fill.timeMs || entry.id - fill.id
      return (gapMs > 0 ? entry : fill).cashAfter
    },
    holding: (trader, instrument) => held.get(trader, instrument, atMs),
  }
}

/** What a fill left behind in its instrument. */
export const HELD = columns({
  positionAfter: fill.positionAfter,
  costAfter: fill.costAfter,
  fundingAfter: fill.fundingAfter,
  fundingAtOpen: fill.fundingAtOpen,
  fundingIndex: fill.fundingIndex,
  leverage: fill.leverage,
  isolated: fill.isolated,
})
export type Held = RowOf<typeof HELD>
const BY_FILL = columns({ timeMs: fill.timeMs, id: fill.id, cashAfter: fill.cashAfter })
const BY_LEDGER = columns({ timeMs: ledger.timeMs, id: ledger.id, cashAfter: ledger.cashAfter })

interface Quote {
  px: Px
  fundingIndex: FundingIndex
}

const statements = perWorld(({ db }) => {
  const newest = 'order by timeMs desc, id desc limit 1'
  type At = [of: number, atMs: TapeMs]
  return {
    cashByFill: BY_FILL.prepare<At>(db, `from fill where account = ? and timeMs <= ? ${newest}`),
    cashByLedger: BY_LEDGER.prepare<At>(
      db,
      `from ledger where account = ? and timeMs <= ? ${newest}`,
    ),
    held: HELD.prepare<[trader: number, instrument: number, atMs: TapeMs]>(
      db,
      `from fill where trader = ? and instrument = ? and timeMs <= ? ${newest}`,
    ),
    mark: columns({ mark: mark.mark }).prepare<At>(
      db,
      `from mark where instrument = ? and timeMs <= ? ${newest}`,
    ),
    instruments: columns({ instrument: fill.instrument }).prepare<[trader: number]>(
      db,
      'from fill where trader = ? group by instrument order by instrument',
    ),
  }
})

/** Instruments that a trader ever holds: a few of all there are. */
const instrumentsEverHeld = perWorld((world) => {
  const known = new Map<number, InstrumentRow[]>()
  return (trader: number): InstrumentRow[] => {
    const cached = known.get(trader)
    if (cached) return cached
    const rows = statements(world).instruments.all(trader)
    const held = rows.map(({ instrument }) => world.instruments[instrument] as InstrumentRow)
    known.set(trader, held)
    return held
  }
})
