import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import { REBUILD_HALF_LIFE } from '../bars/market-regimes.ts'
import { GIVEN_UP } from '../crowd/leveraged-crowd.ts'
import { fatTailed } from './distributions.ts'
import { MARKET_BP } from './instrument-profile.ts'
import {
  cascadePhase,
  type LiquidationCascade,
  type Regime,
  type RegimePlan,
  RUN_MS,
  ramp,
  WanderingRegimes,
  type WanderState,
} from './mood.ts'
import type { PriceGrid, SynthBook } from './order-matching.ts'
import { RATE_DECIMALS } from './synth-event.ts'

/** Interest of eight hours that a perpetual without premium pays, and the clamp on it. */
const BASE_RATE = 0.0001
const CLAMP = 0.0005
/** Share of the gap that the slow averages close at each mark. */
const AVERAGE_SHARE = { oracle: 0.6, premium: 0.02 }

/** Share of closings by the open interest beyond its target, and its bound. */
const CLOSING = { perPart: 150, most: 0.4 }
const REBUILT_KEPT = 2 ** (-1 / REBUILD_HALF_LIFE)
/** Open interest that is further below the usual one is a new coin's, and grows by volume. */
const APART_LEAST = -0.7

/** What an open interest is apart from the usual one. */
export function apartFrom(interest: number, usual: number): number {
  const apart = Math.log(Math.max(1, interest) / Math.max(1, usual))
  return apart < APART_LEAST ? 0 : apart
}

/** Published values of a perpetual, as plain data. */
export interface MetricsState {
  random: RandomState
  oracle: number
  premium: number
  /** Open interest, lots. */
  interest: number
  /** Long-run open interest, lots; null where it grows with volume. */
  usualInterest: number | null
  /** Logarithm of what positions are apart from it, as they were closed or opened at once. */
  apart: number
  /** Open interest that trades lead to, lots; null where it grows with volume. */
  target: number | null
}

/** Metrics before the first mark. */
export function newMetrics(key: string, premium: number, interest: number): MetricsState {
  return {
    random: randomState(key, 'gauges'),
    oracle: 0,
    premium,
    interest,
    usualInterest: null,
    apart: 0,
    target: null,
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

  /**
   * Takes a trade, which opens and closes positions on both sides; net openings add to the open
   * interest.
   */
  onTrade(lots: number): void {
    const { interest, target } = this.state
    const beyond = target ? interest / target - 1 : 0
    const lean = Math.max(-CLOSING.most, Math.min(CLOSING.most, CLOSING.perPart * beyond))
    const closing = target ? 0.5 + lean : 0.47
    const change = Math.round(lots * (this.random.unit() - closing) * 1.3)
    this.state.interest = Math.max(0, interest + change)
  }

  /** Starts a minute; `swing` is that of the usual open interest, a logarithm. */
  onMinute(swing: number): void {
    const { state } = this
    if (state.usualInterest === null) return
    const usual = state.usualInterest * Math.exp(swing)
    state.apart *= REBUILT_KEPT
    state.target = usual * Math.exp(state.apart)
  }

  /**
   * Takes a forced closing, which removes most of its size: few positions open against it. They are
   * opened again within days.
   */
  onClosing(lots: number): void {
    const { state } = this
    const closed = Math.min(Math.round(lots * GIVEN_UP), Math.max(0, state.interest - 1))
    if (closed <= 0) return
    const left = 1 - closed / state.interest
    state.interest -= closed
    if (state.target === null) return
    state.apart += Math.log(left)
    state.target *= left
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

/** Length of a cycle: one quiet phase and one cascade. */
const CYCLE_MS = 20 * 60_000

interface RegimeCycle {
  cascade: LiquidationCascade
  quietFromMs: number
  quietToMs: number
  sign: number
}

/** The regimes of a seed, without end: cycles of twenty minutes with varying times. */
class RegimeCycles implements RegimePlan {
  private index = -1
  private cycle = {} as RegimeCycle

  /** `random` is only forked, by cycle, so that each cycle follows from the seed alone. */
  constructor(private readonly random: RandomSource) {}

  cascadeAt(ms: number): LiquidationCascade {
    return this.cycleAt(ms).cascade
  }

  regimeAt(ms: number): Regime {
    const { cascade, quietFromMs, quietToMs, sign } = this.cycleAt(ms)
    const quiet = Math.min(ramp(ms - quietFromMs), ramp(quietToMs - ms))
    const { drift, stress } = cascadePhase(ms - cascade.fromMs)
    return { quiet, stress, driftPerS: sign * drift * 1000 }
  }

  volatilityAt(): number {
    return 1
  }

  turnoverAt(): number {
    return 1
  }

  jumpAt(): number {
    return 1
  }

  held(shock: number): number {
    return shock
  }

  heldCluster(level: number): number {
    return level
  }

  private cycleAt(ms: number): RegimeCycle {
    const index = Math.floor(ms / CYCLE_MS)
    if (index !== this.index) {
      this.index = index
      this.cycle = regimeCycle(this.random, index)
    }
    return this.cycle
  }
}

function regimeCycle(random: RandomSource, index: number): RegimeCycle {
  const cycleRandom = random.fork(`chapter ${index}`)
  const startMs = index * CYCLE_MS
  const quietFromMs = startMs + cycleRandom.between(350, 365) * 1000
  const fromMs = startMs + cycleRandom.between(745, 765) * 1000
  // The first one is always a fall, so that every tape shows the same at the same minute.
  const down = index === 0 || cycleRandom.chance(0.6)
  return {
    cascade: { position: down ? 'long' : 'short', fromMs, toMs: fromMs + RUN_MS },
    quietFromMs,
    quietToMs: quietFromMs + cycleRandom.between(120, 135) * 1000,
    sign: down ? -1 : 1,
  }
}

/** The time step of the market's state. */
export const STEP_MS = 100

/** Conditions common to all instruments in one step. */
export interface Conditions extends Regime {
  /** Return of the market as a whole over this step, logarithmic. */
  move: number
  /** Volatility relative to normal; it clusters. */
  volatility: number
  /** Turnover that it draws, relative to normal. */
  turnover: number
}

/** Conditions before the first step. */
export const CALM: Conditions = {
  move: 0,
  volatility: 1,
  turnover: 1,
  quiet: 0,
  stress: 0,
  driftPerS: 0,
}

/** The market as a whole as plain data. */
export interface ConditionsState {
  /** Source of random regimes; null when it goes through cycles. */
  wander: WanderState | null
  plot: RandomState
  shocks: RandomState
  jumps: RandomState
  volatility: VolatilityState
}

const STEPS_PER_S = 1000 / STEP_MS
/** Response of turnover to volatility that clusters over seconds, and its mean. */
const TURNOVER_BY_CLUSTER = { exponent: 0.6, mean: 0.84 }
/** Probability of a jump in a step, about one in seventy seconds. */
const JUMP_ODDS = 1 / 700
const JUMP = 0.00035

/** Conditions of a seed before the first step. */
export function newConditions(key: string, wander: WanderState | null): ConditionsState {
  return {
    wander,
    plot: randomState(key, 'plot'),
    shocks: randomState(key, 'shocks'),
    jumps: randomState(key, 'jumps'),
    volatility: newVolatility(key),
  }
}

/** Conditions in their stationary state. */
export function stationaryConditions(key: string, wander: WanderState | null): ConditionsState {
  const { plot, shocks, jumps } = newConditions(key, wander)
  return { wander, plot, shocks, jumps, volatility: stationaryVolatility(key) }
}

/** Conditions that move all instruments, step by step. */
export class MarketConditions {
  private readonly regimes: RegimePlan
  private readonly shocks: RandomSource
  private readonly jumps: RandomSource
  private readonly volatility: VolatilityCluster

  constructor(state: ConditionsState, startMs: number) {
    const { wander } = state
    this.regimes = wander
      ? new WanderingRegimes(wander, startMs)
      : new RegimeCycles(randomSourceOf(state.plot))
    this.shocks = randomSourceOf(state.shocks)
    this.jumps = randomSourceOf(state.jumps)
    this.volatility = new VolatilityCluster(state.volatility)
  }

  /** The cascade of an instant, or of its cycle. */
  cascadeAt(ms: number): LiquidationCascade | null {
    return this.regimes.cascadeAt(ms)
  }

  /** The step that begins `ms` after the start; steps must be read in sequence. */
  step(ms: number): Conditions {
    const { shocks, jumps } = this
    const { quiet, stress, driftPerS } = this.regimes.regimeAt(ms)
    const level = this.regimes.heldCluster(this.volatility.level())
    const cluster = level * (1 - 0.6 * quiet) * (1 + 1.6 * stress)
    const volatility = cluster * this.regimes.volatilityAt(ms)
    const { exponent, mean } = TURNOVER_BY_CLUSTER
    const turnover = (cluster ** exponent / mean) * this.regimes.turnoverAt(ms)
    const shock = this.regimes.held(fatTailed(shocks))
    let move =
      (volatility * MARKET_BP * 1e-4 * shock) / Math.sqrt(STEPS_PER_S) + driftPerS / STEPS_PER_S
    const jumped = jumps.chance(JUMP_ODDS * (1 - quiet))
    if (jumped) move += this.regimes.jumpAt(ms) * JUMP * this.regimes.held(fatTailed(jumps))
    this.volatility.update(shock, jumped)
    return { quiet, stress, driftPerS, move, volatility, turnover }
  }
}

/** A cluster of volatility as plain data. */
export interface VolatilityState {
  random: RandomState
  slow: number
  fast: number
  memory: number
}

/** Volatility at its normal. */
export function newVolatility(key: string): VolatilityState {
  return { random: randomState(key, 'heat'), slow: 0, fast: 0, memory: 1 }
}

/** Volatility in its stationary state. */
export function stationaryVolatility(key: string): VolatilityState {
  const random = randomState(key, 'heat')
  const source = randomSourceOf(random)
  const [slow, fast] = [SLOW, FAST].map(({ deviation }) => deviation * source.normal())
  return { random, slow: slow ?? 0, fast: fast ?? 0, memory: 1 }
}

/**
 * Clustered volatility: two log-normal processes, one of minutes and one of seconds, and a memory
 * of recent shocks as in GARCH. Its long-run mean square is near one.
 */
export class VolatilityCluster {
  private readonly random: RandomSource

  constructor(private readonly state: VolatilityState) {
    this.random = randomSourceOf(state.random)
  }

  level(): number {
    const { slow, fast, memory } = this.state
    return Math.exp(slow + fast - 0.36) * Math.sqrt(memory)
  }

  update(shock: number, jumped: boolean): void {
    const { state, random } = this
    state.slow = SLOW.decay * state.slow + SLOW.push * random.normal()
    state.fast = FAST.decay * state.fast + FAST.push * random.normal()
    const calm = MEMORY_DECAY * (state.memory - 0.25) + (1 - MEMORY_DECAY) * 0.75 * shock ** 2
    state.memory = 0.25 + calm + (jumped ? 3 : 0)
  }
}

const [SLOW, FAST] = [reverting(180, 0.3), reverting(9, 0.55)]
const MEMORY_DECAY = decayPerStep(4)

/** A process with a half-life in seconds, and the noise for a given deviation. */
function reverting(halfLifeS: number, deviation: number) {
  const decay = decayPerStep(halfLifeS)
  return { decay, push: Math.sqrt(1 - decay ** 2) * deviation, deviation }
}

/** Decay factor of one step for a half-life in seconds. */
function decayPerStep(halfLifeS: number): number {
  return 0.5 ** (1 / (halfLifeS * STEPS_PER_S))
}
