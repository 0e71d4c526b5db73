import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import type { PriceGrid } from './price-grid.ts'
import type { SynthBook } from './synth-book.ts'
import { RATE_DECIMALS } from './synth-event.ts'

/** Interest of eight hours that a perpetual without premium pays, and the clamp on it. */
const BASE_RATE = 0.0001
const CLAMP = 0.0005
/** Share of the gap that the slow averages close at each mark. */
const AVERAGE_SHARE = { oracle: 0.6, premium: 0.02 }

/** What a perpetual publishes, as plain data. */
export interface MetricsState {
  random: RandomState
  oracle: number
  premium: number
  /** Open interest, lots. */
  interest: number
  /** What it comes back to, lots; null where it grows with what is traded. */
  usualInterest: number | null
  deleveraging: DeleveragingState
}

/** Metrics before the first mark. */
export function newMetrics(key: string, premium: number, interest: number): MetricsState {
  return {
    random: randomState(key, 'gauges'),
    oracle: 0,
    premium,
    interest,
    usualInterest: null,
    deleveraging: newDeleveraging(),
  }
}

/** Mark and oracle price, funding rate and open interest of a perpetual. */
export class DerivativeMetrics {
  private readonly random: RandomSource

  constructor(
    private readonly grid: PriceGrid,
    private readonly state: MetricsState,
  ) {
    this.random = randomSourceOf(state.random)
  }

  /** A trade opens and closes positions on both sides; new ones add to the open interest. */
  onTrade(lots: number): void {
    const { interest, usualInterest: usual } = this.state
    const closing = usual ? 0.5 + Math.max(-0.2, Math.min(0.2, interest / usual - 1)) : 0.47
    const change = Math.round(lots * (this.random.unit() - closing) * 1.3)
    const givenUp = closedBy(this.state.deleveraging, lots)
    this.state.interest = Math.max(0, this.state.interest + change - givenUp)
  }

  /** A minute begins at that price, logarithm. */
  onMinute(log: number): void {
    noteMinute(this.state.deleveraging, log, this.state.interest)
  }

  /** A liquidation removes most of its size: few open a position against it. */
  onLiquidation(lots: number): void {
    this.state.interest = Math.max(0, this.state.interest - Math.round(lots * 0.7))
  }

  /**
   * Mark and oracle: the oracle follows the fair price, the mark is the median of the oracle with
   * the usual premium, the book and the last trade, and the fair price.
   */
  mark(
    fairUnits: number,
    premium: number,
    book: SynthBook,
    lastTick: number,
  ): { mark: number; oracle: number } {
    const { grid, state } = this
    const target = fairUnits / (1 + premium)
    state.oracle =
      state.oracle === 0 ? target : state.oracle + AVERAGE_SHARE.oracle * (target - state.oracle)
    const [bid, ask] = [book.best('bids'), book.best('asks')]
    const mid = (grid.unitsAt(bid) + grid.unitsAt(ask)) / 2
    state.premium += AVERAGE_SHARE.premium * (mid / state.oracle - 1 - state.premium)
    const withPremium = grid.tickAt(state.oracle * (1 + state.premium))
    const mark = median(withPremium, median(bid, ask, lastTick), grid.tickAt(fairUnits))
    return { mark: this.units(mark), oracle: this.units(grid.tickAt(state.oracle)) }
  }

  /** The hourly rate by the venue's rule: an eighth of premium plus interest within a band. */
  funding(): { rate: number; premium: number } {
    const { premium } = this.state
    const clamped = Math.max(-CLAMP, Math.min(CLAMP, BASE_RATE - premium))
    return { rate: rateUnits((premium + clamped) / 8), premium: rateUnits(premium) }
  }

  /** In lots. */
  openInterest(): number {
    return this.state.interest
  }

  private units(tick: number): number {
    return this.grid.unitsAt(Math.max(1, Math.round(tick)))
  }
}

function median(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
}

function rateUnits(part: number): number {
  return Math.round(part * 10 ** RATE_DECIMALS) + 0
}

// Positions that are given up when a price runs: by hand, by stops, before they are liquidated.

/** What is known of it, as plain data. */
interface DeleveragingState {
  /** Logarithm of the price a minute ago; null before the first minute. */
  log: number | null
  /** Move of the last hour or so. */
  hour: number
  /** Part of the open interest that such moves have cost already. */
  shed: number
  /** Lots that are yet to be closed. */
  pending: number
}

/** A move of an hour that nobody gives up for. */
const BORNE = 0.01
/** Part of the open interest that is given up for each part of one beyond that. */
const SHED = { fall: 0.9, rise: 0.45 }
const FORGETTING = 1 / 60
/** Part of what is traded by which positions can be closed beyond those that always are. */
const CLOSING_SHARE = 0.6

const newDeleveraging = (): DeleveragingState => ({
  log: null,
  hour: 0,
  shed: 0,
  pending: 0,
})

/** A minute begins at that price, with so many lots of open interest. */
function noteMinute(state: DeleveragingState, log: number, interest: number): void {
  const move = state.log === null ? 0 : log - state.log
  state.log = log
  state.hour += move - FORGETTING * state.hour
  state.shed -= FORGETTING * state.shed
  const beyond = Math.max(0, Math.abs(state.hour) - BORNE)
  const wanted = beyond * (state.hour < 0 ? SHED.fall : SHED.rise)
  if (wanted <= state.shed) return
  state.pending += (wanted - state.shed) * interest
  state.shed = wanted
}

/** So many lots are traded: how many of them close what was given up. */
function closedBy(state: DeleveragingState, lots: number): number {
  const closed = Math.round(Math.min(state.pending, CLOSING_SHARE * lots))
  state.pending -= closed
  return closed
}
