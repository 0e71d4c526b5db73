import { HOUR_MS } from '../../clock/instant.ts'
import {
  activityAt,
  bounded,
  expected,
  ForwardLevel,
  HOUR_EXPONENT,
  MARKET_VOLATILITY,
  TURNOVER_BY_VOLATILITY,
  usual,
} from '../bars/market-regimes.ts'
import { unitAt } from './distributions.ts'

/** Noise source of a market without an end, as plain data. */
export interface WanderState {
  /** Salt of the noise, shared by markets that continue one another. */
  salt: number
  /** Start of the noise: before, conditions were usual. */
  sinceMs: number
  mood: MoodName | null
}

/** Half-life of a mood's initial surge, in hours. */
const SURGE_HALF_LIFE_H = 1.5
/** Interval of volatility updates. */
const RENEWED_MS = 1000
/** Sizes of cascades relative to that of the cycles: a power law. */
const SIZE = { least: 0.3, exponent: 1.6, most: 1.6 }
/** Size of jumps within a second, relative to those of the cycles. */
const JUMPS = 0.4
/** Response of turnover to the mood's volatility. */
const TURNOVER_BY_MOOD = 0.6
/** Length relative to that of the cycles, whose cascade takes a minute. */
const STRETCH = { least: 6, most: 18 }
/** Recovery by nearly half of the move, within an hour. */
const LASTING_RECOVERY = { part: 0.006, ms: 6 * 60_000, stressMs: 15_000 }
/** Stress relative to that of the cycles: the slower the move, the less. */
const STRESS = 0.5
/** Separate uses of one salt. */
const [ODDS, INSTANTS, SIZES, SIDES, LENGTHS] = [
  0x1f3d5b79, 0x2e4c6a88, 0x3d5b7997, 0x4c6a88a6, 0x5b7997b5,
] as const

interface SizedCascade extends LiquidationCascade {
  size: number
  /** Length relative to that of the cycles. */
  stretch: number
  sign: number
}

/**
 * Conditions of a market without an end: functions of a salt and the instant, so that markets which
 * begin at different instants have the same ones.
 */
export class WanderingRegimes implements RegimePlan {
  private readonly mood: Mood
  private hour = -1
  private recent: SizedCascade[] = []
  private readonly level: ForwardLevel
  private market = { atMs: -1, volatility: 1, turnover: 1 }

  constructor(
    private readonly wander: WanderState,
    private readonly startMs: number,
  ) {
    this.mood = moodOf(wander.mood)
    this.level = new ForwardLevel(MARKET_VOLATILITY, wander.salt, wander.sinceMs)
  }

  cascadeAt(ms: number): LiquidationCascade | null {
    const cascade = this.latest(ms)
    return cascade && ms < cascade.toMs ? cascade : null
  }

  regimeAt(ms: number): Regime {
    const { driftPerDay, driftHalfLifeH, surge } = this.mood
    const sinceH = (this.startMs + ms - this.wander.sinceMs) / HOUR_MS
    const lasting = (driftPerDay / 86_400) * 0.5 ** (sinceH / driftHalfLifeH)
    const steady = lasting * (1 + surge * 0.5 ** (sinceH / SURGE_HALF_LIFE_H))
    const cascade = this.latest(ms)
    if (!cascade) return { quiet: 0, stress: 0, driftPerS: steady }
    const { size, sign, stretch } = cascade
    const { drift, stress } = cascadePhase((ms - cascade.fromMs) / stretch, LASTING_RECOVERY)
    return {
      quiet: 0,
      stress: STRESS * stress * Math.min(1, size),
      driftPerS: steady + (sign * size * drift * 1000) / stretch,
    }
  }

  volatilityAt(ms: number): number {
    return this.marketAt(ms).volatility
  }

  turnoverAt(ms: number): number {
    return this.marketAt(ms).turnover
  }

  jumpAt(ms: number): number {
    return JUMPS * this.marketAt(ms).volatility
  }

  held(shock: number): number {
    return heldShock(shock)
  }

  heldCluster(level: number): number {
    return heldCluster(level)
  }

  private marketAt(ms: number) {
    const timeMs = this.startMs + ms
    // It must not depend on the instants of updates.
    const atMs = timeMs - (timeMs % RENEWED_MS)
    if (atMs === this.market.atMs) return this.market
    const level = bounded(this.level.at(atMs))
    const byHour = activityAt('always', atMs) ** HOUR_EXPONENT
    const { volatility } = this.mood
    this.market = {
      atMs,
      volatility: volatility * byHour * expected(level, 2),
      turnover:
        volatility ** TURNOVER_BY_MOOD * Math.exp(usual(level, TURNOVER_BY_VOLATILITY.market)),
    }
    return this.market
  }

  /** The last cascade whose slide has begun. */
  private latest(ms: number): SizedCascade | undefined {
    const hour = Math.floor((this.startMs + ms) / HOUR_MS)
    if (hour !== this.hour) {
      this.hour = hour
      this.recent = [hour - 1, hour, hour + 1].flatMap((each) => this.cascadesOf(each))
    }
    return this.recent.findLast(({ fromMs, stretch }) => fromMs - SLIDE_MS * stretch <= ms)
  }

  private cascadesOf(hour: number): SizedCascade[] {
    const perHour = this.mood.cascadesPerDay / 24
    const places = Math.ceil(perHour)
    return Array.from({ length: places }, (_, nth) => hour * places + nth)
      .filter((place) => unitAt(this.wander.salt ^ ODDS, place) * places < perHour)
      .map((place) => this.cascadeOf(place, places))
  }

  /** The cascade of a slot; each hour has `places` of them. */
  private cascadeOf(place: number, places: number): SizedCascade {
    const { salt } = this.wander
    const hours = (place + unitAt(salt ^ INSTANTS, place)) / places
    const fromMs = Math.floor(hours * HOUR_MS) - this.startMs
    const tail = unitAt(salt ^ SIZES, place) ** (-1 / SIZE.exponent)
    const size = Math.min(SIZE.most, SIZE.least * tail)
    const isFall = unitAt(salt ^ SIDES, place) < this.mood.falls
    const position = isFall ? 'long' : 'short'
    const stretch = STRETCH.least + (STRETCH.most - STRETCH.least) * unitAt(salt ^ LENGTHS, place)
    const toMs = fromMs + Math.round(RUN_MS * stretch)
    return { position, fromMs, toMs, size, stretch, sign: isFall ? -1 : 1 }
  }
}

/** Largest draw of a step, in deviations: a minute of real markets hardly jumps by itself. */
const SHOCK_MOST = 4

/** A fat-tailed draw within its bounds. */
export const heldShock = (shock: number): number =>
  Math.max(-SHOCK_MOST, Math.min(SHOCK_MOST, shock))

/** Largest volatility of some seconds, relative to the regime's. */
const CLUSTER_MOST = 1.8

/** A volatility of some seconds within its bound: regimes of minutes and hours do the rest. */
export const heldCluster = (level: number): number => Math.min(CLUSTER_MOST, level)

/** The phase of the market at one moment. */
export interface Regime {
  /** 0 in a normal market, 1 in the middle of a quiet phase. */
  quiet: number
  /** 0 in a normal market, 1 at the height of a cascade. */
  stress: number
  /** Drift of the market's logarithmic price, a second. */
  driftPerS: number
}

/** One cascade: positions of one side are liquidated in a strong move. */
export interface LiquidationCascade {
  /** Side of the liquidated positions. */
  position: 'long' | 'short'
  /** Milliseconds since the start of the state. */
  fromMs: number
  toMs: number
}

/** Sequence of the market's phases. Times are milliseconds since the start. */
export interface RegimePlan {
  regimeAt(ms: number): Regime
  /** The cascade of an instant; null for none. */
  cascadeAt(ms: number): LiquidationCascade | null
  /** Volatility of the whole market relative to the usual, and the turnover that it draws. */
  volatilityAt(ms: number): number
  turnoverAt(ms: number): number
  /** Size of jumps within a second, relative to the usual. */
  jumpAt(ms: number): number
  /** A fat-tailed draw within the bounds of the market's. */
  held(shock: number): number
  /** A volatility of some seconds within the same. */
  heldCluster(level: number): number
}

/** Duration of the slide before. */
const SLIDE_MS = 25_000
/** Duration of the liquidations. */
export const RUN_MS = 60_000
const RECOVERY_MS = 75_000

/** Log fall of the whole market in the slide and in the run, and its recovery. */
const SLIDE = 0.0015
const RUN = 0.0118
const RECOVERY = { part: 0.0088, ms: RECOVERY_MS, stressMs: RECOVERY_MS }

/** Drift, a millisecond, and stress of a cascade `sinceMs` after its first liquidations. */
export function cascadePhase(
  sinceMs: number,
  recovery = RECOVERY,
): { drift: number; stress: number } {
  if (sinceMs < -SLIDE_MS) return { drift: 0, stress: 0 }
  if (sinceMs < 0) return { drift: SLIDE / SLIDE_MS, stress: 0.3 * ramp(sinceMs + SLIDE_MS) }
  if (sinceMs < RUN_MS) {
    // Slow, then faster, then slow again: the derivative of smoothstep.
    const part = sinceMs / RUN_MS
    const drift = (RUN * 6 * part * (1 - part)) / RUN_MS
    return { drift, stress: 0.3 + 0.7 * Math.min(1, 1.6 * part) }
  }
  const left = (ms: number) => Math.exp(-(sinceMs - RUN_MS) / ms)
  return {
    drift: (-recovery.part * left(recovery.ms)) / recovery.ms,
    stress: left(recovery.stressMs),
  }
}

const FADE_MS = 12_000

/** 0 before, 1 some seconds after. */
export function ramp(ms: number): number {
  return Math.max(0, Math.min(1, ms / FADE_MS))
}

/** Default tendency of the market. */
export interface Mood {
  /** Initial log drift of the whole market, a day, and its half-life. */
  driftPerDay: number
  driftHalfLifeH: number
  /** Initial multiple of the drift, so that an hour shows it; fades in hours. */
  surge: number
  /** Volatility relative to the usual. */
  volatility: number
  /** Reversion rate to the price at the start of the hour, per hour. */
  reversionPerH: number
  /** Cascades a day, and the share of falls. */
  cascadesPerDay: number
  falls: number
  /** Long-run premium of perpetuals, as a fraction. */
  premium: number
}

/** Mood of a market by default. */
const USUAL: Mood = mood({})

/** The moods by name. */
export const MOODS = {
  calm: mood({ volatility: 0.5, cascadesPerDay: 0 }),
  bull: mood({ driftPerDay: 0.09, surge: 3.5, falls: 0.25, cascadesPerDay: 4, premium: 0.0009 }),
  bear: mood({
    driftPerDay: -0.09,
    surge: 3.5,
    volatility: 1.25,
    falls: 0.8,
    cascadesPerDay: 5,
    premium: -0.0008,
  }),
  crash: mood({
    driftPerDay: -0.6,
    driftHalfLifeH: 6,
    volatility: 2.6,
    cascadesPerDay: 40,
    falls: 0.9,
    premium: -0.0016,
  }),
  chop: mood({ volatility: 1.5, reversionPerH: 3, cascadesPerDay: 6, falls: 0.5 }),
} as const satisfies Record<string, Mood>

export type MoodName = keyof typeof MOODS

export const MOOD_NAMES = [
  'calm',
  'bull',
  'bear',
  'crash',
  'chop',
] as const satisfies readonly MoodName[]

/** The mood of a name; the usual one for null. */
export function moodOf(name: MoodName | null): Mood {
  return name === null ? USUAL : MOODS[name]
}

function mood(differing: Partial<Mood>): Mood {
  return {
    driftPerDay: differing.driftPerDay ?? 0,
    surge: differing.surge ?? 0,
    driftHalfLifeH: differing.driftHalfLifeH ?? 72,
    volatility: differing.volatility ?? 1,
    reversionPerH: differing.reversionPerH ?? 0,
    cascadesPerDay: differing.cascadesPerDay ?? 2.5,
    falls: differing.falls ?? 0.5,
    premium: differing.premium ?? 0.0001,
  }
}
