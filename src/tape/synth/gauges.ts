import { format } from '../../decimal/scaled.ts'
import type { Dice } from '../../random/dice.ts'
import type { FundingData, InterestData, MarkData } from '../event.ts'
import type { Ladder } from './ladder.ts'
import type { Profile } from './roster.ts'
import type { Shelves } from './shelves.ts'

/** Interest of eight hours that a perpetual without premium pays, and how far it bends. */
const INTEREST = 0.0001
const CLAMP = 0.0005
/** Decimals of rates. */
const RATE_SCALE = 10
/** Share of the gap that the slow averages close at each look. */
const FOLLOW = { oracle: 0.6, premium: 0.02 }

/** The derived numbers of a perpetual: mark and oracle price, funding rate, open interest. */
export class Gauges {
  private oracle = 0
  private premium: number
  private interest: number

  constructor(
    private readonly profile: Profile,
    private readonly rungs: Ladder,
    private readonly dice: Dice,
    interestLots: number,
  ) {
    this.premium = profile.premium
    this.interest = interestLots
  }

  /** A trade opens and closes positions on both sides; what opens anew adds to the interest. */
  traded(lots: number): void {
    const change = Math.round(lots * (this.dice.unit() - 0.47) * 1.3)
    this.interest = Math.max(0, this.interest + change)
  }

  /** A forced closing takes out most of its size: few open a position into it. */
  closed(lots: number): void {
    this.interest = Math.max(0, this.interest - Math.round(lots * 0.7))
  }

  /**
   * Mark and oracle: the oracle follows the price elsewhere, the mark is the median of the oracle
   * with the usual premium, the book and the last trade, and the price elsewhere.
   */
  mark(fairUnits: number, book: Shelves, lastRung: number): MarkData {
    const { rungs } = this
    const spot = fairUnits / (1 + this.profile.premium)
    this.oracle = this.oracle === 0 ? spot : this.oracle + FOLLOW.oracle * (spot - this.oracle)
    const mid = (rungs.unitsOf(book.best('bids')) + rungs.unitsOf(book.best('asks'))) / 2
    this.premium += FOLLOW.premium * (mid / this.oracle - 1 - this.premium)
    const here = median(book.best('bids'), book.best('asks'), lastRung)
    const usual = rungs.rungOf(this.oracle * (1 + this.premium))
    const mark = median(usual, here, rungs.rungOf(fairUnits))
    return { mark: this.text(mark), oracle: this.text(rungs.rungOf(this.oracle)) }
  }

  /** The hourly rate by the venue's rule: an eighth of premium plus interest within a band. */
  funding(): FundingData {
    const { premium } = this
    const bent = Math.max(-CLAMP, Math.min(CLAMP, INTEREST - premium))
    return { rate: rate((premium + bent) / 8), premium: rate(premium) }
  }

  openInterest(): InterestData {
    return { openInterest: format(this.interest, this.profile.szDecimals) }
  }

  private text(rung: number): string {
    return this.rungs.text(Math.round(rung))
  }
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}

function rate(part: number): string {
  return format(Math.round(part * 10 ** RATE_SCALE) + 0, RATE_SCALE)
}
