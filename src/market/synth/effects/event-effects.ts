import { randomSource } from '../../../random/random-source.ts'
import {
  coinOf,
  eventEndMs,
  type MarketEvent,
  type TimedMarketEvent,
} from '../../events/market-event.ts'
import { pathAt } from '../distributions.ts'
import { IMPACT, type InstrumentProfile, MARKET_BP, volatilityBp } from '../instrument-profile.ts'
import type { TakerSide } from '../synth-event.ts'

/** Effects of events on an instrument at one instant: factors relative to normal. */
export interface EventConditions {
  activity: number
  volatility: number
  spread: number
  depth: number
  /** Premium that it is pulled to, and the strength: 0 is none. */
  premium: number
  premiumShare: number
  halted: boolean
  /** While an event sets the price, orders do not move it. */
  steered: boolean
}

/** Time that factors take to rise and to fall. */
const RAMP_MS = 10_000
const PREMIUM_RAMP_MS = 120_000
/** Logarithmic move of a minute at which nervousness equals that of a cascade. */
const NERVOUS_MOVE = 0.012
/** Effects of nervousness: more orders, wider and thinner quotes. */
const NERVES = { activity: 2, spread: 1.2, depth: 0.45 }
/** Effects of novelty: more of everything, except depth. */
const NOVEL = { activity: 5, volatility: 7, spread: 4, depth: 0.3 }
/** Funding is an eighth of the premium, less a clamp on it, plus interest. */
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
 * Effects of events on an instrument, as a function of the instant alone: independent of the steps
 * and the starting state.
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

  /** Effects at an instant; null for none. */
  at(timeMs: number): EventConditions | null {
    if (timeMs < this.fromMs || timeMs >= this.toMs) return null
    const conditions = structuredClone(NOTHING)
    for (const each of this.events) addEvent(conditions, each, timeMs)
    for (const move of this.moves) addMove(conditions, move, timeMs)
    return conditions
  }

  /** Log price move from one instant to another. */
  moveBetween(fromMs: number, toMs: number): number {
    let sum = 0
    for (const move of this.moves) sum += movedBy(move, toMs) - movedBy(move, fromMs)
    return sum
  }

  /** Orders from one instant to another. */
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

/** Effects of a new listing, whose price is uncertain. */
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

/** The premium that implies an hourly funding rate. */
function premiumOf(rate: number): number {
  const ofEight = 8 * rate
  return ofEight > BASE_RATE ? ofEight + CLAMP : ofEight < BASE_RATE ? ofEight - CLAMP : 0
}

/** A scheduled move of a coin, or its part in another coin's. */
interface PriceMove {
  fromMs: number
  /** End of the move, and end of its partial reversal. */
  toMs: number
  backMs: number
  /** Log price at these instants, relative to no move. */
  whole: number
  left: number
  /** Whether trades do not move the price during it. */
  steers: boolean
}

/**
 * Liquidations push the price beyond their orders' impact, towards further positions: the share of
 * that impact, and its permanent part.
 */
const RUN = { part: 0.6, stays: 0.6 }

/** An event's price move for an instrument; null for none. */
function priceMove(
  timed: TimedMarketEvent,
  profile: InstrumentProfile,
  profiles: readonly InstrumentProfile[],
): PriceMove | null {
  const { event, fromMs } = timed
  if (event.kind !== 'move' && event.kind !== 'liquidations') return null
  const scheduled = profiles.find(({ coin }) => coin === event.coin)
  const leader = profiles.find(({ coin }) => coin === scheduled?.follows) ?? scheduled
  // A follower takes its price from its leader.
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

/** Log move by which liquidations push their coin. */
function pushOf({ side, usd }: { side: string; usd: number }, profile: InstrumentProfile): number {
  const { count, usd: each } = closingsOf(usd, profile.levelUsd)
  const { impact = IMPACT, levelUsd } = profile
  const push = count * impact * volatilityBp(profile) * 1e-4 * Math.sqrt(each / levelUsd)
  return (side === 'long' ? -1 : 1) * Math.min(PUSH_MOST, push)
}

const PUSH_MOST = 0.2

/** Log move done by an instant. */
function movedBy(move: PriceMove, atMs: number): number {
  const { fromMs, toMs, backMs, whole, left } = move
  const there = whole * smoothPart(fromMs, toMs, atMs) + roughness(move, atMs)
  return backMs > toMs ? there + (left - whole) * smoothPart(toMs, backMs, atMs) : there
}

/** Deviation of a move from its smooth path, relative to the whole move, and its periods. */
const ROUGH = 0.22
const ROUGH_PERIODS_MS = [1_000, 4_000, 15_000, 60_000, 240_000]

/** Log deviation from the smooth path: as of a random walk between its beginning and its end. */
function roughness({ fromMs, toMs, whole, steers }: PriceMove, atMs: number): number {
  if (!steers || atMs <= fromMs || atMs >= toMs) return 0
  const lengthMs = toMs - fromMs
  const part = (atMs - fromMs) / lengthMs
  let sum = 0
  for (const periodMs of ROUGH_PERIODS_MS)
    if (periodMs < lengthMs / 2)
      sum += Math.sqrt(periodMs / lengthMs) * pathAt(fromMs ^ periodMs, periodMs, atMs - fromMs)
  return ROUGH * whole * Math.sqrt(4 * part * (1 - part)) * sum
}

/** Move of one instrument per unit of another's: the market's expected share, by both betas. */
function movesWith(profile: InstrumentProfile, { beta, ownBp }: InstrumentProfile): number {
  const shared = (beta * MARKET_BP) ** 2
  if (shared === 0) return 0
  return (profile.beta / beta) * (shared / (shared + ownBp ** 2))
}

/** Completed share of an event: slow at first and at the end. */
function smoothPart(fromMs: number, toMs: number, atMs: number): number {
  const part = Math.max(0, Math.min(1, (atMs - fromMs) / (toMs - fromMs)))
  return part * part * (3 - 2 * part)
}

/** Strength of an event at an instant: full between its beginning and end, less around them. */
function bearing(fromMs: number, toMs: number, rampMs: number, atMs: number): number {
  if (atMs <= fromMs || atMs >= toMs) return 0
  const rising = Math.min(rampMs, (toMs - fromMs) / 4)
  return smoothPart(0, rising, Math.min(atMs - fromMs, toMs - atMs))
}

/** A market order caused by an event. */
export interface ForcedOrder {
  atMs: number
  side: TakerSide
  usd: number
  /** Side of the liquidated position; null for an ordinary order. */
  liquidates: 'long' | 'short' | null
  /** Mark of its trades: negative, unlike orders from outside. */
  tag: number
}

type EventOf<K> = Extract<MarketEvent, { kind: K }>

/** Time between two parts of a sliced order, as in the venue's TWAPs. */
const PART_MS = 30_000
const PARTS_LEAST = 5
/** Default duration of a cascade. */
const CASCADE_S = 60
/** Mean size of a liquidated position, in levels of the book, and bounds of their number. */
const POSITION_LEVELS = 0.6
const POSITIONS = { least: 6, most: 240 }
/** Power-law exponent of the sizes. */
const TAIL_EXPONENT = 1.3

/** The orders of an event, in order of time; `nth` is its index among all of them. */
function forcedOrders(
  { event, fromMs }: TimedMarketEvent,
  nth: number,
  levelUsd: number,
): ForcedOrder[] {
  if (event.kind === 'whale') return whaleOrders(event, fromMs, -1 - nth)
  if (event.kind === 'liquidations') return closings(event, fromMs, -1 - nth, levelUsd)
  return []
}

function whaleOrders(event: EventOf<'whale'>, fromMs: number, tag: number): ForcedOrder[] {
  const { usd, overS } = event
  const side: TakerSide = event.side === 'buy' ? 'B' : 'A'
  const lengthMs = (overS ?? 0) * 1000
  const parts = overS === undefined ? 1 : Math.max(PARTS_LEAST, Math.floor(lengthMs / PART_MS))
  return Array.from({ length: parts }, (_, part) => {
    // An event requested at an instant comes after what happens at it.
    const atMs = fromMs + 1 + Math.floor((lengthMs * part) / parts)
    return { atMs, side, usd: usd / parts, liquidates: null, tag }
  })
}

/** Number and mean size of the positions closed for a total. */
function closingsOf(usd: number, levelUsd: number): { count: number; usd: number } {
  const { least, most } = POSITIONS
  const count = Math.max(least, Math.min(most, Math.round(usd / (POSITION_LEVELS * levelUsd))))
  return { count, usd: usd / count }
}

/** Positions of a cascade: their rate rises, and falls at the end. */
function closings(
  { coin, side: position, usd, overS = CASCADE_S }: EventOf<'liquidations'>,
  fromMs: number,
  tag: number,
  levelUsd: number,
): ForcedOrder[] {
  const random = randomSource(`${coin}/${position}/${usd}/${fromMs}`, 'liquidations')
  const { count } = closingsOf(usd, levelUsd)
  const sizes = Array.from({ length: count }, () => (1 - random.unit()) ** (-1 / TAIL_EXPONENT))
  const sum = sizes.reduce((total, size) => total + size, 0)
  const side: TakerSide = position === 'long' ? 'A' : 'B'
  return sizes
    .map((size) => {
      const part = (random.unit() + random.unit()) / 2
      const atMs = fromMs + Math.floor(part * overS * 1000)
      return { atMs, side, usd: (usd * size) / sum, liquidates: position, tag }
    })
    .sort((a, b) => a.atMs - b.atMs)
}
