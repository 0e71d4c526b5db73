import { DAY_MS, HOUR_MS } from '../../clock/durations.ts'
import { activityAt } from '../bars/activity-hours.ts'
import { unitAt } from '../bars/hashed-noise.ts'
import {
  cascadePhase,
  type LiquidationCascade,
  type Regime,
  type RegimePlan,
  RUN_MS,
  SLIDE_MS,
} from './market-regime.ts'
import { type Mood, type MoodName, moodOf } from './mood.ts'
import { type StrayingPart, straying } from './straying.ts'

/** What a market without an end wanders by, as plain data. */
export interface WanderState {
  /** Names the noise; markets that go on from one another have the same. */
  salt: number
  /** When it began to wander: it was as usual then. */
  sinceMs: number
  mood: MoodName | null
}

/** After so many hours half is left of what a mood begins with. */
const SURGE_HALF_LIFE_H = 1.5
/** Volatility is worked out anew so often. */
const RENEWED_MS = 1000
/** Logarithm of the volatility: spells of minutes, hours, days and weeks. */
const VOLATILITY: readonly StrayingPart[] = [
  { sd: 0.2, periodMs: HOUR_MS / 4 },
  { sd: 0.25, periodMs: 3 * HOUR_MS },
  { sd: 0.28, periodMs: 1.5 * DAY_MS },
  { sd: 0.22, periodMs: 14 * DAY_MS },
]
/** Sizes of cascades against that of the show: a power law. */
const SIZE = { least: 0.3, exponent: 1.6, most: 2.5 }
/** Uses of one salt, told apart. */
const [ODDS, INSTANTS, SIZES, SIDES] = [0x1f3d5b79, 0x2e4c6a88, 0x3d5b7997, 0x4c6a88a6] as const

interface SizedCascade extends LiquidationCascade {
  size: number
  sign: number
}

/**
 * Conditions of a market without an end: functions of a salt and of the instant, so that markets
 * which begin at different instants meet the same ones.
 */
export class WanderingRegimes implements RegimePlan {
  private readonly mood: Mood
  private hour = -1
  private recent: SizedCascade[] = []
  private volatility = { atMs: -1, value: 1 }

  constructor(
    private readonly wander: WanderState,
    private readonly startMs: number,
  ) {
    this.mood = moodOf(wander.mood)
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
    const { drift, stress } = cascadePhase(ms - cascade.fromMs)
    const { size, sign } = cascade
    return {
      quiet: 0,
      stress: stress * Math.min(1, size),
      driftPerS: steady + sign * size * drift * 1000,
    }
  }

  volatilityAt(ms: number): number {
    const timeMs = this.startMs + ms
    // What it is must not depend on the instants at which it was asked for.
    const atMs = timeMs - (timeMs % RENEWED_MS)
    if (atMs !== this.volatility.atMs) this.volatility = { atMs, value: this.usualAt(atMs) }
    return this.volatility.value
  }

  private usualAt(timeMs: number): number {
    const { salt, sinceMs } = this.wander
    // Turnover grows with the square of volatility in the long run, by the hour less than that.
    const byHour = Math.sqrt(activityAt('always', timeMs))
    return this.mood.volatility * byHour * Math.exp(straying(salt, VOLATILITY, sinceMs, timeMs, 2))
  }

  /** The last cascade that has begun to slide. */
  private latest(ms: number): SizedCascade | undefined {
    const hour = Math.floor((this.startMs + ms) / HOUR_MS)
    if (hour !== this.hour) {
      this.hour = hour
      this.recent = [hour - 1, hour, hour + 1].flatMap((each) => this.cascadesOf(each))
    }
    return this.recent.findLast(({ fromMs }) => fromMs - SLIDE_MS <= ms)
  }

  private cascadesOf(hour: number): SizedCascade[] {
    const perHour = this.mood.cascadesPerDay / 24
    const places = Math.ceil(perHour)
    return Array.from({ length: places }, (_, nth) => hour * places + nth)
      .filter((place) => unitAt(this.wander.salt ^ ODDS, place) * places < perHour)
      .map((place) => this.cascadeOf(place, places))
  }

  /** The cascade of a place, of which each hour has so many. */
  private cascadeOf(place: number, places: number): SizedCascade {
    const { salt } = this.wander
    const hours = (place + unitAt(salt ^ INSTANTS, place)) / places
    const fromMs = Math.floor(hours * HOUR_MS) - this.startMs
    const tail = unitAt(salt ^ SIZES, place) ** (-1 / SIZE.exponent)
    const size = Math.min(SIZE.most, SIZE.least * tail)
    const isFall = unitAt(salt ^ SIDES, place) < this.mood.falls
    const position = isFall ? 'long' : 'short'
    return { position, fromMs, toMs: fromMs + RUN_MS, size, sign: isFall ? -1 : 1 }
  }
}
