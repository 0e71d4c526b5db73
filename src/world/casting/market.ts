import {
  type FundingIndex,
  type Px,
  px,
  type Rate,
  rate,
  raw,
  type Sz,
  sz,
  type Usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { power } from '../../decimal/scaled.ts'
import type { InstrumentRow } from '../schema.ts'
import { Agenda } from './agenda.ts'
import type { Resting } from './order-room.ts'
import type { Trader } from './people.ts'
import type { MarketSurvey } from './survey.ts'

/** One instrument while the story is being written. */
export class Market {
  /** Latest price. */
  px: Px
  /** Price at the last look at everybody's margin. */
  checkedPx: Px
  /** Sum of all long positions. */
  longs: Sz = ZERO
  /** Funding so far (funding.fundingIndex) and the rate in force. */
  fundingIndex: FundingIndex = ZERO
  rate = rate(125_000)
  premium: Rate = ZERO
  /** Latest oracle price. */
  oracle: Px
  /** The tape brings marks of its own. */
  marked = false
  /** By trader id. */
  readonly holdings = new Map<number, Holding>()
  /** The last who came to hold exactly this signed size. */
  readonly exact = new Map<Sz, Holding>()
  /** When those who hold a position want to be out of it. */
  readonly due = new Agenda<Holding>()
  readonly overdue = { long: [] as Holding[], short: [] as Holding[] }
  /** Makers' orders that have something left, by price. */
  readonly resting = { B: new Map<Px, Resting>(), A: new Map<Px, Resting>() }
  /** Orders away from the price, waiting. */
  rungs: Resting[] = []
  /** Prices at which the nearest rung is pulled. */
  guard = openGuard()
  /** Micro-dollars of one size unit at price 1. */
  private readonly factor: number
  /** Micro-dollars that one size unit pays when the funding index rises by one. */
  readonly fundingFactor: number
  /** Part of a position's value that its owner should at least have behind it. */
  readonly cushion: number
  readonly perp: boolean

  constructor(
    readonly row: InstrumentRow,
    readonly survey: MarketSurvey,
  ) {
    this.px = row.firstPx ?? ZERO
    this.checkedPx = this.px
    this.oracle = this.px
    this.fundingFactor = row.kind === 'perp' ? 10 ** (6 - row.szDecimals - row.fundingDecimals) : 0
    this.factor = 10 ** (6 - row.pxDecimals - row.szDecimals)
    this.cushion = 0.04 + 0.75 / row.maxLeverage
    this.perp = row.kind === 'perp'
  }

  /** Notes when somebody means to be out of a position; each is in the lists only once. */
  plan(held: Holding, dueMs: number): void {
    held.dueMs = dueMs
    if (!held.queued) this.due.put(dueMs, held)
    held.queued = true
  }

  /** Keeps who came to hold a size; what is no longer so is forgotten now and then. */
  remember(held: Holding): void {
    if (held.sz === ZERO || !this.perp) return
    this.exact.set(held.sz, held)
    if (this.exact.size < 5000) return
    for (const [sz, one] of this.exact) if (one.sz !== sz) this.exact.delete(sz)
  }

  /** Rough value of so many size units in micro-dollars, for decisions only. */
  value(sz: Sz): number {
    return raw(sz) * raw(this.px) * this.factor
  }

  /** A size worth about so many micro-dollars, on the lot grid, at least one lot. */
  size(usd: number): Sz {
    const lot = raw(this.survey.lot)
    return sz(Math.max(1, Math.round(usd / (raw(this.px) * this.factor) / lot)) * lot)
  }

  /** A price near so many price units that the tape could have named. */
  onTick(units: number): Px {
    const step = this.stepAt(units)
    return px(Math.max(step, Math.round(units / step) * step))
  }

  /** Smallest step between prices near so many price units, in price units. */
  stepAt(units: number): number {
    // The venue allows five significant figures and whole numbers; the tape's grid may be wider.
    const figures = power(Math.max(0, Math.floor(Math.log10(Math.max(units, 1))) - 4))
    return Math.max(raw(this.row.tick), Math.min(figures, power(this.row.pxDecimals)))
  }
}
/** Prices between which no rung is near, in price units: anywhere. */
export const openGuard = () => ({ low: 0, high: Number.POSITIVE_INFINITY })

/** One account of a trader while the story is being written: main dex, a builder dex, or spot. */
export interface Purse {
  id: number
  trader: Trader
  /** '' main, the builder dex's name, or 'spot'. */
  dex: string
  /** In less out, plus realised PnL, less fees; funding left out. */
  cash: Usd
  realised: Usd
  /** Time of its latest row: nothing may be dated before it. */
  lastMs: number
  holdings: Holding[]
  /** Meant to be liquidated: nobody tops it up. */
  doomed: boolean
}

/** What a trader holds of one instrument. */
export interface Holding {
  purse: Purse
  market: Market
  sz: Sz
  cost: Usd
  funding: Usd
  fundingAtOpen: Usd
  fundingIndex: FundingIndex
  leverage: number
  isolated: boolean
  position: OpenPosition | null
  /** When its owner means to be out of it; `queued` while it waits in one of the market's lists. */
  dueMs: number
  queued: boolean
  /** Take-profit and stop orders that hang on the position. */
  triggers: Resting[]
}

/** A position that is not closed yet: the sums of its row. */
export interface OpenPosition {
  id: number
  long: boolean
  openMs: number
  openFill: number
  maxSz: Sz
  openSz: Sz
  openNotional: Usd
  closeSz: Sz
  closeNotional: Usd
  closedPnl: Usd
  fees: Usd
  fundingBefore: Usd
  liquidation: number | null
}
