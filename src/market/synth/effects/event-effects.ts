import { coinOf, eventEndMs, type TimedMarketEvent } from '../../events/market-event.ts'
import type { InstrumentProfile } from '../instrument-profile.ts'
import { bearing, smoothPart } from './event-shape.ts'
import { type ForcedOrder, forcedOrders } from './forced-order.ts'
import { movedBy, type PriceMove, priceMove } from './price-move.ts'

/** What events make of an instrument at one instant: factors against what it would be without. */
export interface EventConditions {
  activity: number
  volatility: number
  spread: number
  depth: number
  /** Premium that it is held at, and how much so: 0 is not at all. */
  premium: number
  premiumShare: number
  halted: boolean
  /** While the price is moved by so much, orders do not move it besides. */
  steered: boolean
}

/** How long factors take to come, and to go. */
const RAMP_MS = 10_000
const PREMIUM_RAMP_MS = 120_000
/** Logarithmic move of a minute at which a market is as nervous as in a cascade. */
const NERVOUS_MOVE = 0.012
/** What the nervous do: more orders, wider and thinner quotes. */
const NERVES = { activity: 2, spread: 1.2, depth: 0.45 }
/** What is new is more of everything, and there is less of it. */
const NOVEL = { activity: 4, volatility: 2.5, spread: 2, depth: 0.4 }
/** Funding is an eighth of the premium, less a clamp on it, and so much of interest. */
const CLAMP = 0.0005
const BASE_RATE = 0.0001

const NOTHING: EventConditions = {
  activity: 1,
  volatility: 1,
  spread: 1,
  depth: 1,
  premium: 0,
  premiumShare: 0,
  halted: false,
  steered: false,
}

/**
 * What events do to an instrument, as a function of the instant alone: it does not matter in which
 * steps, and from which state on, a market comes to that instant.
 */
export class EventEffects {
  private readonly events: TimedMarketEvent[]
  private readonly moves: PriceMove[]
  private readonly orders: ForcedOrder[]
  private readonly fromMs: number
  private readonly toMs: number

  constructor(
    events: readonly TimedMarketEvent[],
    profile: InstrumentProfile,
    profiles: readonly InstrumentProfile[],
  ) {
    const { coin, levelUsd } = profile
    this.events = events.filter(({ event }) => coinOf(event) === null || coinOf(event) === coin)
    this.moves = events.flatMap((each) => priceMove(each, profile, profiles) ?? [])
    this.orders = events.flatMap((each, nth) =>
      coinOf(each.event) === coin ? forcedOrders(each, nth, levelUsd) : [],
    )
    this.fromMs = Math.min(...events.map(({ fromMs }) => fromMs))
    const ends = [...events.map(eventEndMs), ...this.moves.map(({ backMs }) => backMs)]
    this.toMs = Math.max(...ends)
  }

  /** What they make of an instant; null when nothing bears on it. */
  at(timeMs: number): EventConditions | null {
    if (timeMs < this.fromMs || timeMs >= this.toMs) return null
    const conditions = structuredClone(NOTHING)
    for (const each of this.events) addEvent(conditions, each, timeMs)
    for (const move of this.moves) addMove(conditions, move, timeMs)
    return conditions
  }

  /** Logarithm by which its price is moved from one instant to another. */
  moveBetween(fromMs: number, toMs: number): number {
    let sum = 0
    for (const move of this.moves) sum += movedBy(move, toMs) - movedBy(move, fromMs)
    return sum
  }

  /** Orders that come from one instant to another. */
  ordersBetween(fromMs: number, toMs: number): ForcedOrder[] {
    return this.orders.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  }
}

function addEvent(conditions: EventConditions, timed: TimedMarketEvent, timeMs: number): void {
  const { event, fromMs } = timed
  const toMs = eventEndMs(timed)
  if (timeMs < fromMs || timeMs >= toMs) return
  const bears = bearing(fromMs, toMs, RAMP_MS, timeMs)
  if (event.kind === 'halt') conditions.halted = true
  else if (event.kind === 'volatility') {
    conditions.volatility *= event.factor ** bears
    conditions.activity *= event.factor ** (0.6 * bears)
  } else if (event.kind === 'volume') conditions.activity *= event.factor ** bears
  else if (event.kind === 'spread') conditions.spread *= event.factor ** bears
  else if (event.kind === 'depth') conditions.depth *= event.factor ** bears
  else if (event.kind === 'liquidations') addNerves(conditions, bears)
  else if (event.kind === 'listing') addNovelty(conditions, 1 - smoothPart(fromMs, toMs, timeMs))
  else if (event.kind === 'funding') {
    conditions.premium = premiumOf(event.pct / 100)
    conditions.premiumShare = bearing(fromMs, toMs, PREMIUM_RAMP_MS, timeMs)
  }
}

function addMove(conditions: EventConditions, move: PriceMove, timeMs: number): void {
  const { fromMs, backMs, steers } = move
  if (timeMs < fromMs || timeMs >= backMs) return
  conditions.steered ||= steers
  const ofMinute = Math.abs(movedBy(move, timeMs + 30_000) - movedBy(move, timeMs - 30_000))
  addNerves(
    conditions,
    Math.min(1, ofMinute / NERVOUS_MOVE) * bearing(fromMs, backMs, RAMP_MS, timeMs),
  )
}

/** Of what has just begun to be traded, which nobody knows the price of. */
function addNovelty(conditions: EventConditions, novelty: number): void {
  conditions.activity *= NOVEL.activity ** novelty
  conditions.volatility *= NOVEL.volatility ** novelty
  conditions.spread *= NOVEL.spread ** novelty
  conditions.depth *= NOVEL.depth ** novelty
}

function addNerves(conditions: EventConditions, nerves: number): void {
  conditions.activity *= 1 + NERVES.activity * nerves
  conditions.spread *= 1 + NERVES.spread * nerves
  conditions.depth *= 1 - NERVES.depth * nerves
}

/** The premium at which funding comes to an hourly rate. */
function premiumOf(rate: number): number {
  const ofEight = 8 * rate
  return ofEight > BASE_RATE ? ofEight + CLAMP : ofEight < BASE_RATE ? ofEight - CLAMP : 0
}
