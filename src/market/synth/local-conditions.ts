import { HOUR_MS } from '../../clock/durations.ts'
import { randomSource } from '../../random/random-source.ts'
import { activityAt } from '../bars/activity-hours.ts'
import type { EventConditions, EventEffects } from './effects/event-effects.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import { moodOf } from './mood.ts'
import { type StrayingPart, straying } from './straying.ts'
import type { WanderState } from './wandering-regimes.ts'

/** After so long half of what was unusual at first is left. */
const UNUSUAL_HALF_LIFE_MS = 4 * HOUR_MS
/** After so long half of a premium of before is left, where a mood was asked for. */
const MOOD_PREMIUM_HALF_LIFE_MS = HOUR_MS / 4
const STEPS_PER_H = 36_000
/** How far a premium strays, in parts of the instrument's usual spread of it. */
const PREMIUM: readonly StrayingPart[] = [
  { sd: 0.35, periodMs: HOUR_MS },
  { sd: 0.55, periodMs: 9 * HOUR_MS },
  { sd: 0.7, periodMs: 90 * HOUR_MS },
]
/** Logarithm of how busy an instrument is, apart from the whole market. */
const ACTIVITY: readonly StrayingPart[] = [
  { sd: 0.2, periodMs: HOUR_MS / 3 },
  { sd: 0.25, periodMs: 5 * HOUR_MS },
  { sd: 0.25, periodMs: 60 * HOUR_MS },
]
/** Uses of one salt, told apart. */
const [PREMIUMS, ACTIVITIES] = [0x5b7997b5, 0x6a88a6c4] as const
/** They are worked out anew so often. */
const RENEWED_MS = 5000

/** Conditions that wander. */
interface OwnConditions {
  activity: number
  volatility: number
  premium: number
}

/** What bears on one instrument, besides the whole market: factors against its usual market. */
export class LocalConditions {
  activity = 1
  volatility = 1
  spread = 1
  depth = 1
  /** Volatility that makers are not used to. */
  unrest = 1
  /** Where its premium comes back to. */
  premium: number
  /** Part of what its price has strayed that is taken back in a step. */
  readonly reversion: number
  /** Whether they wander without an end. */
  readonly wanders: boolean
  halted = false
  /** The price goes where it is told, whatever is traded. */
  steered = false
  private renewedMs = -1
  private readonly own: OwnConditions
  private readonly salt: number

  /** Without `wander` and without events they stay as they are. */
  constructor(
    private readonly profile: InstrumentProfile,
    private readonly wander: WanderState | null,
    private readonly effects: EventEffects | null,
  ) {
    const { premium } = profile
    this.wanders = wander !== null
    this.reversion = moodOf(wander?.mood ?? null).reversionPerH / STEPS_PER_H
    this.premium = premium
    this.own = { activity: 1, volatility: 1, premium }
    this.salt = wander ? saltOf(`${wander.salt}/${profile.coin}`) : 0
  }

  /** Brings them to an instant. */
  at(timeMs: number): void {
    if (this.wander) this.renewAt(timeMs, this.wander)
    if (this.effects) this.tell(this.effects.at(timeMs))
  }

  private renewAt(timeMs: number, wander: WanderState): void {
    // What they are must not depend on the instants at which they were asked for.
    const atMs = timeMs - (timeMs % RENEWED_MS)
    if (atMs === this.renewedMs) return
    this.renewedMs = atMs
    this.renew(atMs, wander)
    const { activity, volatility, premium } = this.own
    this.activity = activity
    this.volatility = volatility
    this.premium = premium
  }

  private renew(timeMs: number, { sinceMs, mood }: WanderState): void {
    const { profile, salt, own } = this
    const { trading = 'always', unusual = { volatility: 1, activity: 1 } } = profile
    const left = 0.5 ** ((timeMs - sinceMs) / UNUSUAL_HALF_LIFE_MS)
    const [hours, whole] = [activityAt(trading, timeMs), activityAt('always', timeMs)]
    // A part of it comes with the volatility of the whole market.
    own.activity =
      (hours / whole ** 0.3) *
      unusual.activity ** left *
      Math.exp(straying(salt ^ ACTIVITIES, ACTIVITY, sinceMs, timeMs, 1))
    own.volatility = Math.sqrt(hours / whole) * unusual.volatility ** left
    const strays =
      (profile.premiumSpread ?? 0) * straying(salt ^ PREMIUMS, PREMIUM, sinceMs, timeMs, 0)
    const usual = profile.kind === 'perp' ? moodOf(mood).premium : 0
    const premiumLeft =
      mood === null ? left : 0.5 ** ((timeMs - sinceMs) / MOOD_PREMIUM_HALF_LIFE_MS)
    own.premium = usual + premiumLeft * (profile.premium - usual) + strays
  }

  private tell(told: EventConditions | null): void {
    const { own } = this
    const share = told?.premiumShare ?? 0
    this.activity = own.activity * (told?.activity ?? 1)
    this.volatility = own.volatility * (told?.volatility ?? 1)
    this.unrest = told?.volatility ?? 1
    this.spread = told?.spread ?? 1
    this.depth = told?.depth ?? 1
    this.premium = own.premium + share * ((told?.premium ?? 0) - own.premium)
    this.halted = told?.halted ?? false
    this.steered = told?.steered ?? false
  }
}

function saltOf(name: string): number {
  return randomSource(name, 'salt').between(0, 2 ** 32 - 1)
}
