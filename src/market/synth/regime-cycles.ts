import type { RandomSource } from '../../random/random-source.ts'
import {
  cascadePhase,
  type LiquidationCascade,
  type Regime,
  type RegimePlan,
  RUN_MS,
  ramp,
} from './market-regime.ts'

/** Length of a cycle: one quiet phase and one cascade, then the next cycle. */
const CYCLE_MS = 20 * 60_000

interface RegimeCycle {
  cascade: LiquidationCascade
  quietFromMs: number
  quietToMs: number
  sign: number
}

/** The regimes of a seed, without end: cycles of twenty minutes that differ in their timing. */
export class RegimeCycles implements RegimePlan {
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
