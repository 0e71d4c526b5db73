/** What stands in a perpetual account at a moment: cash, positions, funding, prices. */
import { fundingBetween } from '../accounting/funding.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { chargeDelayMs, indexAt, lateCharges, type Place } from './charges.ts'
import { lastPx } from './market.ts'
import { perWorld } from './per-world.ts'
import { tradersOf } from './traders.ts'

/** One instrument that the trader has ever held, flat or not. Money in micro-dollars. */
export interface Holding {
  instrument: InstrumentRow
  /** Signed size and cost. */
  sz: number
  cost: number
  leverage: number
  isolated: boolean
  /** Mark price, price units. */
  px: number
  /** Funding paid up to the moment: ever, since it was opened, since it last changed. */
  funding: { allTime: number; sinceOpen: number; sinceChange: number }
}

export interface Purse {
  /** In less out, plus realised PnL, less fees; funding left out. */
  cash: number
  /** In the order of the instruments. */
  holdings: Holding[]
}

/** What the rows of an account say as of one moment. */
export interface PurseRows {
  cash(account: number): number
  held(trader: number, instrument: number): HeldValues | undefined
}

/** Reads purses as of one moment; prices and funding indexes are read once for all of them. */
export class PurseReader {
  private readonly quotes = new Map<number, { px: number; fundingIndex: number }>()
  private readonly atMs: number
  private readonly delayMs: number

  constructor(
    private readonly world: World,
    place: Place,
    private readonly rows: PurseRows = rowsAt(world, place.atMs),
  ) {
    this.atMs = place.atMs
    this.delayMs = chargeDelayMs(place)
  }

  /** The perpetual account of an address on a dex; null when the trader has none yet. */
  read(address: string, dex: string): Purse | null {
    const traders = tradersOf(this.world)
    const trader = traders.find(address)
    const account = trader && traders.accountOf(trader.id, dex)
    if (!trader || account === undefined) return null
    const held = everHeld(this.world)(trader.id)
    const perps = held.filter((one) => one.kind === 'perp' && one.dex === dex)
    return {
      cash: this.rows.cash(account),
      holdings: perps.flatMap((one) => this.holding(trader.id, one) ?? []),
    }
  }

  private holding(trader: number, instrument: InstrumentRow): Holding | null {
    const row = this.rows.held(trader, instrument.id)
    if (!row) return null
    const [sz, cost, fundingAfter, fundingAtOpen, settledIndex, leverage, isolated] = row
    const { px, fundingIndex } = this.quote(instrument)
    const since = fundingBetween(sz, settledIndex, fundingIndex, instrument)
    const late = lateCharges(this.world, trader, instrument, this.atMs, this.delayMs)
    const paid = fundingAfter + since
    const funding = {
      allTime: paid + late.allTime,
      sinceOpen: sz === 0 ? 0 : paid - fundingAtOpen + late.sinceOpen,
      sinceChange: since + late.sinceChange,
    }
    return { instrument, sz, cost, leverage, px, isolated: isolated === 1, funding }
  }

  private quote(instrument: InstrumentRow): { px: number; fundingIndex: number } {
    const known = this.quotes.get(instrument.id)
    if (known) return known
    const quote = {
      px: markPx(this.world, instrument, this.atMs) ?? 0,
      fundingIndex: indexAt(this.world, instrument.id, this.atMs, this.delayMs),
    }
    this.quotes.set(instrument.id, quote)
    return quote
  }
}

/** Mark price in price units; the last trade's while there is no mark, null without either. */
export function markPx(world: World, instrument: InstrumentRow, atMs: number): number | null {
  const row = statements(world).mark.values(instrument.id, atMs)[0] as [number] | undefined
  return row?.[0] ?? lastPx(world, instrument, atMs)
}

/** Reads row by row: best for a few accounts. */
export function rowsAt(world: World, atMs: number): PurseRows {
  const { cashByFill, cashByLedger, held } = statements(world)
  return {
    cash(account) {
      const fill = cashByFill.values(account, atMs)[0] as CashValues | undefined
      const entry = cashByLedger.values(account, atMs)[0] as CashValues | undefined
      if (!fill || !entry) return (fill ?? entry)?.[2] ?? 0
      const entryIsLater = entry[0] > fill[0] || (entry[0] === fill[0] && entry[1] > fill[1])
      return (entryIsLater ? entry : fill)[2]
    },
    held: (trader, instrument) =>
      held.values(trader, instrument, atMs)[0] as HeldValues | undefined,
  }
}

type CashValues = [timeMs: number, id: number, cashAfter: number]
export type HeldValues = [
  positionAfter: number,
  costAfter: number,
  fundingAfter: number,
  fundingAtOpen: number,
  fundingIndex: number,
  leverage: number,
  isolated: number,
]

const statements = perWorld(({ db }) => {
  const newest = 'order by timeMs desc, id desc limit 1'
  return {
    cashByFill: db.prepare(
      `select timeMs, id, cashAfter from fill where account = ? and timeMs <= ? ${newest}`,
    ),
    cashByLedger: db.prepare(
      `select timeMs, id, cashAfter from ledger where account = ? and timeMs <= ? ${newest}`,
    ),
    held: db.prepare(
      `select positionAfter, costAfter, fundingAfter, fundingAtOpen, fundingIndex,
       leverage, isolated from fill where trader = ? and instrument = ? and timeMs <= ? ${newest}`,
    ),
    mark: db.prepare(`select mark from mark where instrument = ? and timeMs <= ? ${newest}`),
    instruments: db.prepare('select distinct instrument from fill where trader = ? order by 1'),
  }
})

/** Instruments that a trader holds at some time of the story: nobody has all of them. */
const everHeld = perWorld((world) => {
  const known = new Map<number, InstrumentRow[]>()
  return (trader: number): InstrumentRow[] => {
    const made = known.get(trader)
    if (made) return made
    const rows = statements(world).instruments.values(trader) as [number][]
    const held = rows.map(([id]) => world.instruments[id] as InstrumentRow)
    known.set(trader, held)
    return held
  }
})
