import { HOUR_MS } from '../../clock/instant.ts'
import { pow10 } from '../../decimal/quantity.ts'
import { randomSource } from '../../random/random-source.ts'
import { activityAt } from '../bars/activity-hours.ts'
import { newClosings } from '../bars/liquidations.ts'
import { type NoisePart, smoothNoise } from './distributions.ts'
import type { EventConditions, EventEffects } from './effects/event-effects.ts'
import { atPrice, type InstrumentProfile } from './instrument-profile.ts'
import { dueSchedule, type MarketState, newMarket, stationaryFairPrice } from './market-state.ts'
import { moodOf, type WanderState } from './mood.ts'
import {
  BOOK_SIDES,
  type BookSide,
  type BookState,
  OUTWARD_STEP,
  type PriceGrid,
  priceGrid,
  type SynthLevel,
} from './order-matching.ts'
import type { BookLevel } from './synth-event.ts'
import { stationaryTakers } from './takers.ts'

/** Half-life of the initial excess. */
const UNUSUAL_HALF_LIFE_MS = 4 * HOUR_MS
/** Half-life of the earlier premium after a change of mood. */
const MOOD_PREMIUM_HALF_LIFE_MS = HOUR_MS / 4
const STEPS_PER_H = 36_000
/** Deviations of a premium, relative to the instrument's usual spread of it. */
const PREMIUM: readonly NoisePart[] = [
  { sd: 0.35, periodMs: HOUR_MS },
  { sd: 0.55, periodMs: 9 * HOUR_MS },
  { sd: 0.7, periodMs: 90 * HOUR_MS },
]
/** Logarithm of an instrument's activity, apart from the whole market. */
const ACTIVITY: readonly NoisePart[] = [
  { sd: 0.2, periodMs: HOUR_MS / 3 },
  { sd: 0.25, periodMs: 5 * HOUR_MS },
  { sd: 0.25, periodMs: 60 * HOUR_MS },
]
/** Separate uses of one salt. */
const [PREMIUMS, ACTIVITIES] = [0x5b7997b5, 0x6a88a6c4] as const
/** Interval of updates. */
const RENEWED_MS = 5000

/** Random conditions. */
interface OwnConditions {
  activity: number
  volatility: number
  premium: number
}

/** Conditions of one instrument, besides the whole market: factors relative to its usual market. */
export class LocalConditions {
  activity = 1
  volatility = 1
  spread = 1
  depth = 1
  /** Volatility that makers have not adapted to. */
  unrest = 1
  /** Long-run premium. */
  premium: number
  /** Share of its price deviation that reverts in a step. */
  readonly reversion: number
  /** Whether they vary randomly without end. */
  readonly wanders: boolean
  halted = false
  /** Whether an event sets the price, independent of trades. */
  steered = false
  private renewedMs = -1
  private readonly own: OwnConditions
  private readonly salt: number

  /** Without `wander` and without events they are constant. */
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

  /** Updates them to an instant. */
  at(timeMs: number): void {
    if (this.wander) this.renewAt(timeMs, this.wander)
    if (this.effects) this.tell(this.effects.at(timeMs))
  }

  private renewAt(timeMs: number, wander: WanderState): void {
    // They must not depend on the instants of updates.
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
    // A part of it follows the volatility of the whole market.
    own.activity =
      (hours / whole ** 0.3) *
      unusual.activity ** left *
      Math.exp(smoothNoise(salt ^ ACTIVITIES, ACTIVITY, sinceMs, timeMs, 1))
    own.volatility = Math.sqrt(hours / whole) * unusual.volatility ** left
    const deviation =
      (profile.premiumSpread ?? 0) * smoothNoise(salt ^ PREMIUMS, PREMIUM, sinceMs, timeMs, 0)
    const usual = profile.kind === 'perp' ? moodOf(mood).premium : 0
    const premiumLeft =
      mood === null ? left : 0.5 ** ((timeMs - sinceMs) / MOOD_PREMIUM_HALF_LIFE_MS)
    own.premium = usual + premiumLeft * (profile.premium - usual) + deviation
  }

  private tell(scheduled: EventConditions | null): void {
    const { own } = this
    const share = scheduled?.premiumShare ?? 0
    this.activity = own.activity * (scheduled?.activity ?? 1)
    this.volatility = own.volatility * (scheduled?.volatility ?? 1)
    this.unrest = scheduled?.volatility ?? 1
    this.spread = scheduled?.spread ?? 1
    this.depth = scheduled?.depth ?? 1
    this.premium = own.premium + share * ((scheduled?.premium ?? 0) - own.premium)
    this.halted = scheduled?.halted ?? false
    this.steered = scheduled?.steered ?? false
  }
}

function saltOf(name: string): number {
  return randomSource(name, 'salt').between(0, 2 ** 32 - 1)
}

/** Initial state of an instrument's market. */
export interface MarketOpening {
  profile: InstrumentProfile
  /** Its book, each side from the touch outward; a missing side is generated. */
  book: { bids: readonly BookLevel[]; asks: readonly BookLevel[] }
  /** Price of its last trade, in units of 10^-pxDecimals. */
  lastPx: number
  /** Oracle price in units; null where none was published. */
  oraclePx: number | null
  /** Average premium of the perpetual over its oracle, as a fraction. */
  premium: number
  openInterestLots: number
  /** Open interest that it grows to with volume where that is more, as for a new coin. */
  usualInterestLots?: number
}

/** The market of an opening at an instant. `key` seeds its random draws. */
export function openMarket(
  opening: MarketOpening,
  key: string,
  tids: { key: string; lane: number },
  startMs: number,
  wander: WanderState,
): MarketState {
  const grid = priceGrid(opening.profile)
  const book = bookOf(opening, grid)
  const px = middle(book, grid) ?? opening.lastPx
  const profile = atPrice(opening.profile, px / pow10(opening.profile.pxDecimals))
  const local = new LocalConditions(profile, wander, null)
  local.at(startMs)
  const fresh = newMarket(profile, key, tids)
  return {
    profile,
    price: stationaryFairPrice(key),
    book,
    makers: fresh.makers,
    takers: stationaryTakers(key, profile, local.activity),
    metrics: {
      random: fresh.metrics.random,
      oracle: opening.oraclePx ?? 0,
      premium: opening.premium,
      interest: opening.openInterestLots,
      deleveraging: fresh.metrics.deleveraging,
      usualInterest: Math.max(opening.openInterestLots, opening.usualInterestLots ?? 0),
    },
    tids: fresh.tids,
    pace: fresh.pace,
    splits: fresh.splits,
    schedule: dueSchedule(profile.kind === 'perp', startMs, fresh.schedule.refresh),
    snapshotMs: fresh.snapshotMs,
    liquidations: [],
    plannedUntilMs: 0,
    // An opened market's positions are known, so its owner liquidates them.
    closings: newClosings(key, profile, local.volatility),
    lastTick: Math.round(grid.tickAt(opening.lastPx)),
    depth: null,
  }
}

/** The book in ticks, without crossed levels. */
function bookOf({ book }: MarketOpening, grid: PriceGrid): BookState {
  const bids = sideOf('bids', book.bids, grid)
  // No bid can lie below the lowest tick.
  const best = bids.at(-1)?.tick ?? 1
  return { bids, asks: sideOf('asks', book.asks, grid).filter(({ tick }) => tick > best) }
}

/** Levels of a side, the worst first; levels on the same tick are merged. */
function sideOf(side: BookSide, levels: readonly BookLevel[], grid: PriceGrid): SynthLevel[] {
  const byTick = new Map<number, SynthLevel>()
  const rounded = side === 'bids' ? Math.floor : Math.ceil
  for (const { px, lots, orders } of levels) {
    const tick = rounded(grid.tickAt(px))
    const { lots: others, orders: more } = byTick.get(tick) ?? { lots: 0, orders: 0 }
    if (tick > 0 && lots > 0)
      byTick.set(tick, { tick, lots: lots + others, orders: Math.max(1, orders) + more })
  }
  return [...byTick.values()].sort((a, b) => (b.tick - a.tick) * OUTWARD_STEP[side])
}

/** Mid price of a book in units; null when it is empty. */
function middle(book: BookState, grid: PriceGrid): number | null {
  const best = BOOK_SIDES.flatMap((side) => book[side].slice(-1))
  if (best.length === 0) return null
  return best.reduce((sum, { tick }) => sum + grid.unitsAt(tick), 0) / best.length
}
