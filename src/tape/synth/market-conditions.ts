import type { RandomSource } from '../../random/random-source.ts'
import { fatTailed } from './distributions.ts'
import { type Regime, regimePlan } from './market-regimes.ts'

/** The time step of the market's state. */
export const STEP_MS = 100

/** What all instruments share in one step. */
export interface Conditions extends Regime {
  /** Return of the market as a whole over this step, logarithmic. */
  move: number
  /** Volatility against its normal; it comes in clusters. */
  volatility: number
}

const STEPS_PER_S = 1000 / STEP_MS
/** Volatility of the whole market over one second, in parts of one. */
const VOLATILITY = 0.000055
/** Chance of a sudden jump in a step, about one in seventy seconds. */
const JUMP_ODDS = 1 / 700
const JUMP = 0.00035

/** The conditions of a seed, step by step; each call of `next` goes one step on. */
export function marketConditions(random: RandomSource): {
  regimes: ReturnType<typeof regimePlan>
  next(): Conditions
} {
  const regimes = regimePlan(random.fork('plot'))
  const [shocks, jumps] = [random.fork('shocks'), random.fork('jumps')]
  const volatility = volatilityCluster(random.fork('heat'))
  let ms = -STEP_MS
  const next = () => {
    ms += STEP_MS
    const regime = regimes.regimeAt(ms)
    const level = volatility.level() * (1 - 0.6 * regime.quiet) * (1 + 1.6 * regime.stress)
    const shock = fatTailed(shocks)
    let move =
      (level * VOLATILITY * shock) / Math.sqrt(STEPS_PER_S) + regime.driftPerS / STEPS_PER_S
    const jumped = jumps.chance(JUMP_ODDS * (1 - regime.quiet))
    if (jumped) move += JUMP * fatTailed(jumps)
    volatility.update(shock, jumped)
    return { ...regime, move, volatility: level }
  }
  return { regimes, next }
}

/**
 * Volatility that clusters: two log-normal processes, one of minutes and one of seconds, and a
 * memory of recent shocks as in GARCH. Its long-run mean square is near one.
 */
export function volatilityCluster(random: RandomSource) {
  let [slow, fast, memory] = [0, 0, 1]
  const [slowDecay, fastDecay, memoryDecay] = [decayPerStep(180), decayPerStep(9), decayPerStep(4)]
  return {
    level: () => Math.exp(slow + fast - 0.36) * Math.sqrt(memory),
    update: (shock: number, jumped: boolean) => {
      slow = slowDecay * slow + Math.sqrt(1 - slowDecay ** 2) * 0.3 * random.normal()
      fast = fastDecay * fast + Math.sqrt(1 - fastDecay ** 2) * 0.55 * random.normal()
      memory = 0.25 + memoryDecay * (memory - 0.25) + (1 - memoryDecay) * 0.75 * shock ** 2
      if (jumped) memory += 3
    },
  }
}

/** The factor by which a state decays in one step when it halves in so many seconds. */
function decayPerStep(halfLifeS: number): number {
  return 0.5 ** (1 / (halfLifeS * STEPS_PER_S))
}
