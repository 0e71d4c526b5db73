import {
  type RandomSource,
  type RandomState,
  randomSourceOf,
  randomState,
} from '../../random/random-source.ts'
import { fatTailed } from './distributions.ts'
import { MARKET_BP } from './instrument-profile.ts'
import {
  cascadePhase,
  type LiquidationCascade,
  type Regime,
  type RegimePlan,
  RUN_MS,
  ramp,
} from './market-regime.ts'
import { WanderingRegimes, type WanderState } from './wandering-regimes.ts'

/** Length of a cycle: one quiet phase and one cascade, then the next cycle. */
const CYCLE_MS = 20 * 60_000

interface RegimeCycle {
  cascade: LiquidationCascade
  quietFromMs: number
  quietToMs: number
  sign: number
}

/** The regimes of a seed, without end: cycles of twenty minutes that differ in their timing. */
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
  // The first one is always a fall, so that every tape shows the same thing at the same minute.
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

/** What all instruments share in one step. */
export interface Conditions extends Regime {
  /** Return of the market as a whole over this step, logarithmic. */
  move: number
  /** Volatility against its normal; it comes in clusters. */
  volatility: number
}

/** Conditions before the first step. */
export const CALM: Conditions = { move: 0, volatility: 1, quiet: 0, stress: 0, driftPerS: 0 }

/** The market as a whole as plain data. */
export interface ConditionsState {
  /** What it wanders by; null when it goes through cycles. */
  wander: WanderState | null
  plot: RandomState
  shocks: RandomState
  jumps: RandomState
  volatility: VolatilityState
}

const STEPS_PER_S = 1000 / STEP_MS
/** Chance of a sudden jump in a step, about one in seventy seconds. */
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

/** Conditions as they are met at any time. */
export function metConditions(key: string, wander: WanderState | null): ConditionsState {
  const { plot, shocks, jumps } = newConditions(key, wander)
  return { wander, plot, shocks, jumps, volatility: metVolatility(key) }
}

/** What moves all instruments, step by step. */
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

  /** The cascade that an instant belongs to, or of its cycle. */
  cascadeAt(ms: number): LiquidationCascade | null {
    return this.regimes.cascadeAt(ms)
  }

  /** The step that begins `ms` after the start; steps are asked for one after the other. */
  step(ms: number): Conditions {
    const { shocks, jumps } = this
    const { quiet, stress, driftPerS } = this.regimes.regimeAt(ms)
    const usual = this.volatility.level() * this.regimes.volatilityAt(ms)
    const volatility = usual * (1 - 0.6 * quiet) * (1 + 1.6 * stress)
    const shock = fatTailed(shocks)
    let move =
      (volatility * MARKET_BP * 1e-4 * shock) / Math.sqrt(STEPS_PER_S) + driftPerS / STEPS_PER_S
    const jumped = jumps.chance(JUMP_ODDS * (1 - quiet))
    if (jumped) move += JUMP * fatTailed(jumps)
    this.volatility.update(shock, jumped)
    return { quiet, stress, driftPerS, move, volatility }
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

/** Volatility as it is met at any time. */
export function metVolatility(key: string): VolatilityState {
  const random = randomState(key, 'heat')
  const source = randomSourceOf(random)
  const [slow, fast] = [SLOW, FAST].map(({ deviation }) => deviation * source.normal())
  return { random, slow: slow ?? 0, fast: fast ?? 0, memory: 1 }
}

/**
 * Volatility that clusters: two log-normal processes, one of minutes and one of seconds, and a
 * memory of recent shocks as in GARCH. Its long-run mean square is near one.
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

/** A state that halves in so many seconds, pushed so that it has this deviation. */
function reverting(halfLifeS: number, deviation: number) {
  const decay = decayPerStep(halfLifeS)
  return { decay, push: Math.sqrt(1 - decay ** 2) * deviation, deviation }
}

/** The factor by which a state decays in one step when it halves in so many seconds. */
function decayPerStep(halfLifeS: number): number {
  return 0.5 ** (1 / (halfLifeS * STEPS_PER_S))
}
