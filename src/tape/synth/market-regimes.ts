import type { RandomSource } from '../../random/random-source.ts'

/** What the story asks of the market at one moment. */
export interface Regime {
  /** 0 in a normal market, 1 in the middle of the quiet spell. */
  quiet: number
  /** 0 in a normal market, 1 at the height of the cascade. */
  stress: number
  /** Pull on the market's logarithmic price, a second. */
  driftPerS: number
}

/** One cascade: positions of one side are closed by force while the price runs. */
export interface LiquidationCascade {
  /** Position side that is closed. */
  position: 'long' | 'short'
  /** Milliseconds since the start of the tape. */
  fromMs: number
  toMs: number
}

/** A chapter of the story: one quiet spell and one cascade, then the next chapter. */
const CYCLE_MS = 20 * 60_000

const SLIDE_MS = 25_000
const RUN_MS = 60_000
const RECOVERY_MS = 75_000
const FADE_MS = 12_000

/** Logarithmic fall of the whole market while it slides, while it runs, and what comes back. */
const SLIDE = 0.0015
const RUN = 0.0118
const BACK = 0.0088

interface RegimeCycle {
  cascade: LiquidationCascade
  quietFromMs: number
  quietToMs: number
  sign: number
}

/** The story of a seed, without end: chapters of twenty minutes that differ in their timing. */
export function regimePlan(random: RandomSource) {
  let [number, current] = [-1, {} as RegimeCycle]
  const chapterAt = (ms: number) => {
    const wanted = Math.floor(ms / CYCLE_MS)
    if (wanted !== number) [number, current] = [wanted, regimeCycle(random, wanted)]
    return current
  }
  return {
    cascadeAt: (ms: number): LiquidationCascade => chapterAt(ms).cascade,
    sceneAt: (ms: number): Regime => regimeAt(chapterAt(ms), ms),
  }
}

function regimeCycle(random: RandomSource, number: number): RegimeCycle {
  const own = random.fork(`chapter ${number}`)
  const startMs = number * CYCLE_MS
  const quietFromMs = startMs + own.between(350, 365) * 1000
  const fromMs = startMs + own.between(745, 765) * 1000
  // The first one is always a fall, so that every tape shows the same thing at the same minute.
  const down = number === 0 || own.chance(0.6)
  return {
    cascade: { position: down ? 'long' : 'short', fromMs, toMs: fromMs + RUN_MS },
    quietFromMs,
    quietToMs: quietFromMs + own.between(120, 135) * 1000,
    sign: down ? -1 : 1,
  }
}

function regimeAt(of: RegimeCycle, ms: number): Regime {
  const quiet = Math.min(ramp(ms - of.quietFromMs), ramp(of.quietToMs - ms))
  const { fromMs, toMs } = of.cascade
  let [drift, stress] = [0, 0]
  if (ms >= fromMs - SLIDE_MS && ms < fromMs) {
    drift = SLIDE / SLIDE_MS
    stress = 0.3 * ramp(ms - fromMs + SLIDE_MS)
  } else if (ms >= fromMs && ms < toMs) {
    // Slow, then ever faster, then spent: the derivative of smoothstep.
    const part = (ms - fromMs) / RUN_MS
    drift = (RUN * 6 * part * (1 - part)) / RUN_MS
    stress = 0.3 + 0.7 * Math.min(1, 1.6 * part)
  } else if (ms >= toMs) {
    const left = Math.exp(-(ms - toMs) / RECOVERY_MS)
    drift = (-BACK * left) / RECOVERY_MS
    stress = left
  }
  return { quiet, stress, driftPerS: of.sign * drift * 1000 }
}

function ramp(ms: number): number {
  return Math.max(0, Math.min(1, ms / FADE_MS))
}
