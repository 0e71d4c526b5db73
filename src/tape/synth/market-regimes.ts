import type { RandomSource } from '../../random/random-source.ts'

/** The phase of the market at one moment. */
export interface Regime {
  /** 0 in a normal market, 1 in the middle of the quiet phase. */
  quiet: number
  /** 0 in a normal market, 1 at the height of the cascade. */
  stress: number
  /** Drift of the market's logarithmic price, a second. */
  driftPerS: number
}

/** One cascade: positions of one side are liquidated while the price runs. */
export interface LiquidationCascade {
  /** Position side that is closed. */
  position: 'long' | 'short'
  /** Milliseconds since the start of the tape. */
  fromMs: number
  toMs: number
}

/** Length of a cycle: one quiet phase and one cascade, then the next cycle. */
const CYCLE_MS = 20 * 60_000

const SLIDE_MS = 25_000
const RUN_MS = 60_000
const RECOVERY_MS = 75_000
const FADE_MS = 12_000

/** Logarithmic fall of the whole market while it slides and while it runs, and its recovery. */
const SLIDE = 0.0015
const RUN = 0.0118
const RECOVERY = 0.0088

interface RegimeCycle {
  cascade: LiquidationCascade
  quietFromMs: number
  quietToMs: number
  sign: number
}

/** The regimes of a seed, without end: cycles of twenty minutes that differ in their timing. */
export class RegimePlan {
  private index = -1
  private cycle = {} as RegimeCycle

  /** `random` is only forked, by cycle, so that each cycle follows from the seed alone. */
  constructor(private readonly random: RandomSource) {}

  cascadeAt(ms: number): LiquidationCascade {
    return this.cycleAt(ms).cascade
  }

  regimeAt(ms: number): Regime {
    return regimeOf(this.cycleAt(ms), ms)
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

function regimeOf(cycle: RegimeCycle, ms: number): Regime {
  const quiet = Math.min(ramp(ms - cycle.quietFromMs), ramp(cycle.quietToMs - ms))
  const { fromMs, toMs } = cycle.cascade
  let [drift, stress] = [0, 0]
  if (ms >= fromMs - SLIDE_MS && ms < fromMs) {
    drift = SLIDE / SLIDE_MS
    stress = 0.3 * ramp(ms - fromMs + SLIDE_MS)
  } else if (ms >= fromMs && ms < toMs) {
    // Slow, then faster, then slow again: the derivative of smoothstep.
    const part = (ms - fromMs) / RUN_MS
    drift = (RUN * 6 * part * (1 - part)) / RUN_MS
    stress = 0.3 + 0.7 * Math.min(1, 1.6 * part)
  } else if (ms >= toMs) {
    const left = Math.exp(-(ms - toMs) / RECOVERY_MS)
    drift = (-RECOVERY * left) / RECOVERY_MS
    stress = left
  }
  return { quiet, stress, driftPerS: cycle.sign * drift * 1000 }
}

function ramp(ms: number): number {
  return Math.max(0, Math.min(1, ms / FADE_MS))
}
