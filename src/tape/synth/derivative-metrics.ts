import { format } from '../../decimal/scaled.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { FundingData, MarkData, OpenInterestData } from '../tape-event.ts'
import type { InstrumentProfile } from './instrument-profiles.ts'
import type { PriceGrid } from './price-grid.ts'
import type { SynthBook } from './synth-book.ts'

/** Interest of eight hours that a perpetual without premium pays, and the clamp on it. */
const BASE_RATE = 0.0001
const CLAMP = 0.0005
/** Decimals of rates. */
const RATE_SCALE = 10
/** Share of the gap that the slow averages close at each mark. */
const AVERAGE_SHARE = { oracle: 0.6, premium: 0.02 }

/** Mark and oracle price, funding rate and open interest of a perpetual. */
export class DerivativeMetrics {
  private oracle = 0
  private premium: number
  private interest: number

  constructor(
    private readonly profile: InstrumentProfile,
    private readonly grid: PriceGrid,
    private readonly random: RandomSource,
    interestLots: number,
  ) {
    this.premium = profile.premium
    this.interest = interestLots
  }

  /** A trade opens and closes positions on both sides; new ones add to the open interest. */
  onTrade(lots: number): void {
    const change = Math.round(lots * (this.random.unit() - 0.47) * 1.3)
    this.interest = Math.max(0, this.interest + change)
  }

  /** A liquidation removes most of its size: few open a position against it. */
  onLiquidation(lots: number): void {
    this.interest = Math.max(0, this.interest - Math.round(lots * 0.7))
  }

  /**
   * Mark and oracle: the oracle follows the fair price, the mark is the median of the oracle with
   * the usual premium, the book and the last trade, and the fair price.
   */
  mark(fairUnits: number, book: SynthBook, lastTick: number): MarkData {
    const { grid } = this
    const target = fairUnits / (1 + this.profile.premium)
    this.oracle =
      this.oracle === 0 ? target : this.oracle + AVERAGE_SHARE.oracle * (target - this.oracle)
    const mid = (grid.unitsAt(book.best('bids')) + grid.unitsAt(book.best('asks'))) / 2
    this.premium += AVERAGE_SHARE.premium * (mid / this.oracle - 1 - this.premium)
    const local = median(book.best('bids'), book.best('asks'), lastTick)
    const withPremium = grid.tickAt(this.oracle * (1 + this.premium))
    const mark = median(withPremium, local, grid.tickAt(fairUnits))
    return { mark: this.text(mark), oracle: this.text(grid.tickAt(this.oracle)) }
  }

  /** The hourly rate by the venue's rule: an eighth of premium plus interest within a band. */
  funding(): FundingData {
    const { premium } = this
    const clamped = Math.max(-CLAMP, Math.min(CLAMP, BASE_RATE - premium))
    return { rate: rateText((premium + clamped) / 8), premium: rateText(premium) }
  }

  openInterest(): OpenInterestData {
    return { openInterest: format(this.interest, this.profile.szDecimals) }
  }

  private text(tick: number): string {
    return this.grid.text(Math.round(tick))
  }
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}

function rateText(part: number): string {
  return format(Math.round(part * 10 ** RATE_SCALE) + 0, RATE_SCALE)
}
