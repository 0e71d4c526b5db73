/** The phase of the market at one moment. */
export interface Regime {
  /** 0 in a normal market, 1 in the middle of a quiet phase. */
  quiet: number
  /** 0 in a normal market, 1 at the height of a cascade. */
  stress: number
  /** Drift of the market's logarithmic price, a second. */
  driftPerS: number
}

/** One cascade: positions of one side are liquidated while the price runs. */
export interface LiquidationCascade {
  /** Position side that is closed. */
  position: 'long' | 'short'
  /** Milliseconds since the start of the state. */
  fromMs: number
  toMs: number
}

/** How the market's phases follow one another. Times are milliseconds since the start. */
export interface RegimePlan {
  regimeAt(ms: number): Regime
  /** The cascade that an instant belongs to; null when there is none. */
  cascadeAt(ms: number): LiquidationCascade | null
  /** Volatility of the whole market against its usual one. */
  volatilityAt(ms: number): number
}

/** How long the price slides before. */
export const SLIDE_MS = 25_000
/** How long positions are liquidated. */
export const RUN_MS = 60_000
const RECOVERY_MS = 75_000

/** Logarithmic fall of the whole market while it slides and while it runs, and its recovery. */
const SLIDE = 0.0015
const RUN = 0.0118
const RECOVERY = 0.0088

/** Drift, a millisecond, and stress of a cascade `sinceMs` after its first liquidations. */
export function cascadePhase(sinceMs: number): { drift: number; stress: number } {
  if (sinceMs < -SLIDE_MS) return { drift: 0, stress: 0 }
  if (sinceMs < 0) return { drift: SLIDE / SLIDE_MS, stress: 0.3 * ramp(sinceMs + SLIDE_MS) }
  if (sinceMs < RUN_MS) {
    // Slow, then faster, then slow again: the derivative of smoothstep.
    const part = sinceMs / RUN_MS
    const drift = (RUN * 6 * part * (1 - part)) / RUN_MS
    return { drift, stress: 0.3 + 0.7 * Math.min(1, 1.6 * part) }
  }
  const left = Math.exp(-(sinceMs - RUN_MS) / RECOVERY_MS)
  return { drift: (-RECOVERY * left) / RECOVERY_MS, stress: left }
}

const FADE_MS = 12_000

/** 0 before, 1 some seconds after. */
export function ramp(ms: number): number {
  return Math.max(0, Math.min(1, ms / FADE_MS))
}
