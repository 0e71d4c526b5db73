import { coinOf, eventEndMs, type TimedMarketEvent } from '../../events/market-event.ts'
import { IMPACT, type InstrumentProfile, MARKET_BP, volatilityBp } from '../instrument-profile.ts'
import { closingsOf, type ForcedOrder, forcedOrders } from './forced-order.ts'

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

/** A move that a coin is told to make, or its part in that of another. */
interface PriceMove {
  fromMs: number
  /** When it is complete, and when a part of it has been taken back. */
  toMs: number
  backMs: number
  /** Logarithm of the price at these instants, against that without the move. */
  whole: number
  left: number
  /** Then what is traded in this time does not move the price besides. */
  steers: boolean
}

/**
 * Liquidations make the price run to where more positions are, besides what their orders do: the
 * part of what these do, and what stays of it.
 */
const RUN = { part: 0.6, stays: 0.6 }

/** What an event moves an instrument by; null when it moves nothing. */
function priceMove(
  timed: TimedMarketEvent,
  profile: InstrumentProfile,
  profiles: readonly InstrumentProfile[],
): PriceMove | null {
  const { event, fromMs } = timed
  if (event.kind !== 'move' && event.kind !== 'liquidations') return null
  const told = profiles.find(({ coin }) => coin === event.coin)
  const leader = profiles.find(({ coin }) => coin === told?.follows) ?? told
  // One that follows another has its price from there.
  if (!leader || profile.follows !== undefined) return null
  const share = leader === profile ? 1 : movesWith(profile, leader)
  const toMs = eventEndMs(timed)
  if (event.kind === 'liquidations') {
    const whole = share * RUN.part * pushOf(event, leader)
    const left = RUN.stays * whole
    return { fromMs, toMs, backMs: 2 * toMs - fromMs, whole, left, steers: false }
  }
  const { pct, overS, revertPct = 0 } = event
  return {
    fromMs,
    toMs: fromMs + Math.round(overS * 1000),
    backMs: toMs,
    whole: share * Math.log1p(pct / 100),
    left: share * Math.log1p((pct * (1 - revertPct / 100)) / 100),
    steers: true,
  }
}

/** By how much liquidations push their coin, as a logarithm. */
function pushOf({ side, usd }: { side: string; usd: number }, profile: InstrumentProfile): number {
  const { count, usd: each } = closingsOf(usd, profile.levelUsd)
  const { impact = IMPACT, levelUsd } = profile
  const push = count * impact * volatilityBp(profile) * 1e-4 * Math.sqrt(each / levelUsd)
  return (side === 'long' ? -1 : 1) * Math.min(PUSH_MOST, push)
}

const PUSH_MOST = 0.2

/** How far a move goes by an instant, as a logarithm. */
function movedBy({ fromMs, toMs, backMs, whole, left }: PriceMove, atMs: number): number {
  const there = whole * smoothPart(fromMs, toMs, atMs)
  return backMs > toMs ? there + (left - whole) * smoothPart(toMs, backMs, atMs) : there
}

/**
 * How far one instrument goes when another goes by one: as much of that is expected to be the whole
 * market's, by the betas of both.
 */
function movesWith(profile: InstrumentProfile, { beta, ownBp }: InstrumentProfile): number {
  const shared = (beta * MARKET_BP) ** 2
  if (shared === 0) return 0
  return (profile.beta / beta) * (shared / (shared + ownBp ** 2))
}

/** How the part of an event that is done goes with time: slowly at first and at the end. */
function smoothPart(fromMs: number, toMs: number, atMs: number): number {
  const part = Math.max(0, Math.min(1, (atMs - fromMs) / (toMs - fromMs)))
  return part * part * (3 - 2 * part)
}

/** How much an event bears at an instant: all of it between its beginning and its end, or less. */
function bearing(fromMs: number, toMs: number, rampMs: number, atMs: number): number {
  if (atMs <= fromMs || atMs >= toMs) return 0
  const rising = Math.min(rampMs, (toMs - fromMs) / 4)
  return smoothPart(0, rising, Math.min(atMs - fromMs, toMs - atMs))
}
