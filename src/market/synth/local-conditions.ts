import { HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { pow10 } from '../../decimal/quantity.ts'
import { randomSource } from '../../random/random-source.ts'
import { newClosings } from '../bars/liquidations.ts'
import {
  activityAt,
  expected,
  ForwardLevel,
  HOUR_EXPONENT,
  INTEREST_SWINGS,
  interestByTrend,
  newTrends,
  OWN_PREMIUM,
  OWN_TURNOVER,
  OWN_VOLATILITY,
  PREMIUM_HALF_LIFE,
  PriceTrends,
  premiumOf,
  type RevertingPart,
  regimeLeft,
  SHARED_PREMIUM,
  type TrendState,
  TURNOVER_BY_VOLATILITY,
  turnoverByMoves,
  unusualLeft,
  usual,
} from '../bars/market-regimes.ts'
import { hashAt } from './distributions.ts'
import type { EventConditions, EventEffects } from './effects/event-effects.ts'
import {
  atPrice,
  type InstrumentProfile,
  MARKET_BP,
  SEEN_VOLATILITY,
  volatilityBp,
} from './instrument-profile.ts'
import { apartFrom } from './market-conditions.ts'
import { dueSchedule, type MarketState, newMarket, stationaryFairPrice } from './market-state.ts'
import { moodOf, WanderingRegimes, type WanderState } from './mood.ts'
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

/** Half-life of the earlier premium after a change of mood. */
const MOOD_PREMIUM_HALF_LIFE_MS = HOUR_MS / 4
const STEPS_PER_H = 36_000
/** Separate uses of one salt. */
const [PREMIUMS, ACTIVITIES, VOLATILITIES, INTERESTS] = [1, 2, 3, 4] as const
/** More orders, wider and thinner quotes where fear is complete. */
const FEAR = { activity: 3, spread: 7, depth: 3 }
/** Interval of updates. */
const RENEWED_MS = 5000

/** Crowd of a market without positions. */
const NO_CROWD = { fear: 0, imbalance: 0 }

/** Random conditions. */
interface OwnConditions {
  activity: number
  ownVolatility: number
  volatility: number
  premium: number
  interest: number
}

/** Conditions of one instrument, besides the whole market: factors relative to its usual market. */
export class LocalConditions {
  activity = 1
  volatility = 1
  /** Volatility of its own moves, besides. */
  ownVolatility = 1
  /** Logarithm of the usual open interest's swing. */
  interest = 0
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
  private readonly levels: OwnLevels | null
  private readonly regimes: WanderingRegimes | null

  /** Without `wander` and without events they are constant. `trends` are its price's. */
  constructor(
    private readonly profile: InstrumentProfile,
    private readonly wander: WanderState | null,
    private readonly effects: EventEffects | null,
    private readonly trends: PriceTrends = new PriceTrends(minuteSigma(profile)),
  ) {
    const { premium } = profile
    this.wanders = wander !== null
    this.reversion = moodOf(wander?.mood ?? null).reversionPerH / STEPS_PER_H
    this.premium = premium
    this.own = { activity: 1, volatility: 1, ownVolatility: 1, premium, interest: 0 }
    this.levels = wander && new OwnLevels(wander, profile.coin)
    this.regimes = wander && new WanderingRegimes(wander, 0)
  }

  /** Updates them to an instant; `fear` of the market is 0 to 1, `imbalance` that of its crowd. */
  at(timeMs: number, { fear, imbalance } = NO_CROWD): void {
    if (this.wander && this.levels) this.renewAt(timeMs, this.wander, this.levels, imbalance)
    if (this.effects) this.tell(this.effects.at(timeMs))
    else this.tell(null)
    if (fear === 0) return
    this.activity *= 1 + FEAR.activity * fear
    this.spread *= 1 + FEAR.spread * fear
    this.depth /= 1 + FEAR.depth * fear
  }

  private renewAt(timeMs: number, wander: WanderState, levels: OwnLevels, imbalance: number): void {
    // They must not depend on the instants of updates.
    const atMs = timeMs - (timeMs % RENEWED_MS)
    if (atMs === this.renewedMs) return
    this.renewedMs = atMs
    this.renew(atMs, wander, levels, imbalance)
    const { ownVolatility, interest } = this.own
    this.ownVolatility = ownVolatility
    this.interest = interest
  }

  private renew(
    timeMs: number,
    { sinceMs, mood }: WanderState,
    levels: OwnLevels,
    imbalance: number,
  ): void {
    const { profile, own, trends } = this
    const { trading = 'always', unusual = { volatility: 1, activity: 1 } } = profile
    const minutes = (timeMs - sinceMs) / MINUTE_MS
    const left = regimeLeft(minutes)
    const [hours, whole] = [activityAt(trading, timeMs), activityAt('always', timeMs)]
    const ownLevel = levels.volatility.at(timeMs)
    own.volatility = (hours / whole) ** HOUR_EXPONENT * unusualLeft(unusual.volatility, left)
    own.ownVolatility = expected(ownLevel, 2)
    const level = usual(ownLevel, TURNOVER_BY_VOLATILITY.own) + usual(levels.activity.at(timeMs), 1)
    // Moves count by what is expected of the present volatility, without jumps and trades.
    const market = this.regimes?.volatilityAt(timeMs) ?? 1
    const present = (own.volatility * market) / SEEN_VOLATILITY
    const byMoves = turnoverByMoves(trends.move() / present, trends.of('turnover') / present)
    own.activity = hours * unusual.activity ** left * byMoves * Math.exp(level)
    own.interest = levels.interest.at(timeMs).level + interestByTrend(trends.of('positions'))
    own.premium = profile.kind === 'perp' ? this.premiumAt(timeMs, { sinceMs, mood }, imbalance) : 0
  }

  private premiumAt(
    timeMs: number,
    { sinceMs, mood }: Pick<WanderState, 'sinceMs' | 'mood'>,
    imbalance: number,
  ): number {
    const { profile, levels, trends } = this
    const halfLifeMs = mood === null ? PREMIUM_HALF_LIFE * MINUTE_MS : MOOD_PREMIUM_HALF_LIFE_MS
    const left = 0.5 ** ((timeMs - sinceMs) / halfLifeMs)
    const usualOne = moodOf(mood).premium
    const trend = (1 - left) * trends.of('positions')
    const deviation = levels?.premiumAt(timeMs) ?? 0
    return (
      usualOne +
      left * (profile.premium - usualOne) +
      premiumOf(profile.premiumSpread ?? 0, deviation, trend, (1 - left) * imbalance)
    )
  }

  private tell(conditions: EventConditions | null): void {
    const { own } = this
    const share = conditions?.premiumShare ?? 0
    this.activity = own.activity * (conditions?.activity ?? 1)
    this.volatility = own.volatility * (conditions?.volatility ?? 1)
    this.unrest = conditions?.volatility ?? 1
    this.spread = conditions?.spread ?? 1
    this.depth = conditions?.depth ?? 1
    this.premium = own.premium + share * ((conditions?.premium ?? 0) - own.premium)
    this.halted = conditions?.halted ?? false
    this.steered = conditions?.steered ?? false
  }
}

/** Levels of an instrument since the end of its tape. */
class OwnLevels {
  readonly volatility: ForwardLevel
  readonly activity: ForwardLevel
  readonly interest: ForwardLevel
  private readonly sharedPremium: ForwardLevel
  private readonly ownPremium: ForwardLevel

  constructor({ salt: shared, sinceMs }: WanderState, coin: string) {
    const salt = saltOf(`${shared}/${coin}`)
    const level = (parts: readonly RevertingPart[], of: number, use: number) =>
      new ForwardLevel(parts, hashAt(of, use), sinceMs)
    this.volatility = level(OWN_VOLATILITY, salt, VOLATILITIES)
    this.activity = level(OWN_TURNOVER, salt, ACTIVITIES)
    this.interest = level(INTEREST_SWINGS, salt, INTERESTS)
    this.sharedPremium = level(SHARED_PREMIUM, shared, PREMIUMS)
    this.ownPremium = level(OWN_PREMIUM, salt, PREMIUMS)
  }

  /** Deviation of the premium, in its deviations. */
  premiumAt(timeMs: number): number {
    return this.sharedPremium.at(timeMs).level + this.ownPremium.at(timeMs).level
  }
}

/** Usual deviation of the return of a minute, which trades and noise add to. */
export const minuteSigma = (profile: InstrumentProfile): number =>
  SEEN_VOLATILITY * (volatilityBp(profile) || MARKET_BP) * 1e-4 * Math.sqrt(60)

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
  /** Its prices at the end of the last minutes, oldest first; default none. */
  closes?: readonly number[]
  /** Highest leverage that the venue grants. */
  maxLeverage?: number | undefined
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
  const trends = trendsUntil(opening)
  const local = new LocalConditions(
    profile,
    wander,
    null,
    new PriceTrends(minuteSigma(profile), trends),
  )
  local.at(startMs)
  const { openInterestLots } = opening
  const usualLots = usualInterestOf(opening.profile)
  const fresh = newMarket(profile, key, tids)
  return {
    profile,
    price: stationaryFairPrice(key, profile, local.activity),
    book,
    makers: fresh.makers,
    takers: stationaryTakers(key, profile, local.activity),
    metrics: {
      random: fresh.metrics.random,
      oracle: opening.oraclePx ?? 0,
      premium: opening.premium,
      interest: openInterestLots,
      usualInterest: usualLots,
      apart: apartFrom(openInterestLots, usualLots * Math.exp(local.interest)),
      target: openInterestLots,
    },
    tids: fresh.tids,
    pace: fresh.pace,
    splits: fresh.splits,
    schedule: dueSchedule(profile.kind === 'perp', startMs, fresh.schedule.refresh),
    snapshotMs: fresh.snapshotMs,
    liquidations: [],
    plannedUntilMs: 0,
    // An opened market's positions are known, so its owner liquidates them.
    closings: newClosings(key, profile, {
      closes: [...(opening.closes ?? []), opening.lastPx],
      maxLeverage: opening.maxLeverage,
      interest: opening.openInterestLots,
    }),
    lastTick: Math.round(grid.tickAt(opening.lastPx)),
    trends,
    depth: null,
  }
}

/** Long-run open interest in lots, as it was at the profile's first price. */
const usualInterestOf = ({ interestUsd, startPx, szDecimals }: InstrumentProfile): number =>
  Math.round((interestUsd / startPx) * pow10(szDecimals))

function trendsUntil({ profile, closes = [] }: MarketOpening): TrendState {
  const state = newTrends()
  const trends = new PriceTrends(minuteSigma(profile), state)
  for (const px of closes) trends.add(Math.log(px / pow10(profile.pxDecimals)))
  return state
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
