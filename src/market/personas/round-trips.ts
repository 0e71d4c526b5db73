import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock/instant.ts'
import { raw, type Sz, ZERO } from '../../decimal/quantity.ts'
import type { RandomSource } from '../../random/random-source.ts'
import type { MarketPast } from '../casting/history/past.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import type { PersonaPlanner, PlannedOrder } from './persona-planner.ts'
import type { PersonaSchedule } from './personas.ts'

const POSITIONS = 100
const WINS = 70
const DAYS = 29
/** Possible closing times as fractions of a position's slot. */
const CLOSINGS = [0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.78, 0.86]
const VALUE = { ofHour: 0.01, leastUsd: 2_000, mostUsd: 90_000 }
const MARKETS = 4

/**
 * Plans seven winning positions of ten over thirty days, gains being larger than losses, and one
 * that stays open.
 */
export function planStar(planner: PersonaPlanner): void {
  const { random, startMs } = planner
  const star = planner.trader('star', 'swing', 250_000, 5)
  const markets = planner.perps.slice(0, MARKETS)
  const outcomes = shuffled(
    Array.from({ length: POSITIONS }, (_, at) => at < WINS),
    random,
  )
  const lastMs = startMs - 12 * HOUR_MS
  const slotMs = ((DAYS * planner.dayMs - 12 * HOUR_MS) * markets.length) / POSITIONS
  for (const [at, wins] of outcomes.entries()) {
    const past = markets[at % markets.length] as (typeof markets)[number]
    // Each market's slots follow one another, so no two positions of one coin overlap.
    const slot = Math.floor(at / markets.length) + 1
    const fromMs = lastMs - slot * slotMs
    const openMs = Math.floor(fromMs + 0.25 * slotMs * random.unit())
    const closings = CLOSINGS.map((part) => Math.floor(fromMs + part * slotMs))
    star.plan(
      roundTripOrders(planner, { past, openMs, closings, sz: planner.size(past, VALUE), wins }),
    )
  }
  const [past] = markets
  if (!past) return
  const openings = Array.from({ length: 8 }, (_, at) => startMs - (3 + at) * HOUR_MS)
  const moves = openings.map((timeMs) => ({ timeMs, move: planner.move(past, timeMs, startMs) }))
  const best = moves.reduce((a, b) => (Math.abs(b.move) > Math.abs(a.move) ? b : a))
  const side = best.move > 0 ? 'B' : 'A'
  star.plan([{ past, timeMs: best.timeMs, side, sz: planner.size(past, VALUE) }])
}

function shuffled<T>(list: readonly T[], random: RandomSource): T[] {
  return list
    .map((item) => ({ item, place: random.unit() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

/** A planned position with a known outcome. */
interface RoundTrip {
  past: MarketPast
  openMs: number
  /** Possible closing times. */
  closings: readonly number[]
  sz: Sz
  wins: boolean
}

/** Minimum gain to let run; losses are kept as close to this as possible. */
const GAIN_MIN = 0.004
const LOSS_MIN = 0.0015

/** The two orders of a round trip that gains or loses as wanted. */
export function roundTripOrders(
  planner: PersonaPlanner,
  { past, openMs, closings, sz, wins }: RoundTrip,
): PlannedOrder[] {
  const moves = closings
    .map((timeMs) => ({ timeMs, move: planner.move(past, openMs, timeMs) }))
    .sort((a, b) => Math.abs(a.move) - Math.abs(b.move))
  const least = wins ? GAIN_MIN : LOSS_MIN
  const close = moves.find(({ move }) => Math.abs(move) >= least) ?? moves.at(-1)
  if (!close) return []
  const buys = close.move > 0 === wins
  return [
    { past, timeMs: openMs, side: buys ? 'B' : 'A', sz },
    { past, timeMs: close.timeMs, side: buys ? 'A' : 'B', sz },
  ]
}

/** Of each ten successive positions, so many close with a gain. */
const BLOCK = { positions: 10, wins: 7 }
/** Gains and losses at which an old enough position is closed, as fractions of its cost. */
const GAIN = 0.005
const LOSS = 0.002
/** Fractions of its time: from when on it may be closed, and when it always is. */
const AGE = { least: 0.3, most: 8 }
const LOOK_MS = 5 * MINUTE_MS

/**
 * Follows the trend, and holds each position until it reaches its intended result: 7 of 10 gain.
 */
export function continueStar(schedule: PersonaSchedule): void {
  const markets = schedule.perps.slice(0, MARKETS)
  const periodMs = (DAYS * DAY_MS * markets.length) / POSITIONS
  for (const [at, market] of markets.entries()) {
    const name = `of ${market.row.coin}`
    schedule.each(`opening ${name}`, { periodMs, within: 0.25 }, (timeMs) => {
      const holding = schedule.holding(market)
      if (holding.sz === ZERO)
        schedule.take(holding, sideOf(market), schedule.size(market, VALUE), timeMs)
    })
    schedule.each(`look ${name}`, { periodMs: LOOK_MS, within: 1 }, (timeMs) => {
      const holding = schedule.holding(market)
      if (!holding.position) return
      const { openMs } = holding.position
      const nth = Math.floor((openMs - schedule.times.originMs) / periodMs) * markets.length + at
      const gained = schedule.gained(holding)
      const isDone = isWin(schedule, nth) ? gained > GAIN : gained < -LOSS
      const age = (timeMs - openMs) / periodMs
      if ((isDone && age > AGE.least) || age > AGE.most) schedule.close(holding, timeMs)
    })
  }
}

const sideOf = (market: MarketState) =>
  market.memory.returnOver(60, raw(market.px)) >= 0 ? 'B' : 'A'

/** Whether the n-th position is to gain. */
function isWin(schedule: PersonaSchedule, nth: number): boolean {
  const block = Math.floor(nth / BLOCK.positions)
  const draws = schedule.draws('outcomes', block)
  const order = Array.from({ length: BLOCK.positions }, (_, place) => ({
    place,
    drawn: draws.unit(),
  })).sort((a, b) => a.drawn - b.drawn)
  const { place } = order[nth - block * BLOCK.positions] as { place: number }
  return place < BLOCK.wins
}

const SMALL_VALUE = { ofHour: 0, leastUsd: 60, mostUsd: 60 }

/** Three small trades in a week, of which the second gains; then none. */
export function planBeginner(planner: PersonaPlanner): void {
  const beginner = planner.trader('beginner', 'quiet', 300, 3)
  const [past] = planner.perps
  if (!past) return
  const sz = planner.size(past, SMALL_VALUE)
  for (const [at, daysBack] of [6, 4, 2].entries()) {
    const openMs = planner.startMs - daysBack * DAY_MS + planner.random.between(0, 180) * MINUTE_MS
    const closings = Array.from({ length: 12 }, (_, hours) => openMs + (hours + 1) * HOUR_MS)
    beginner.plan(roundTripOrders(planner, { past, openMs, closings, sz, wins: at === 1 }))
  }
}

const TRADE = { periodMs: 2 * DAY_MS, within: 0.5 }
const HELD_MOST_H = 12

/** Makes a small trade every other schedule, closed within hours. */
export function continueBeginner(schedule: PersonaSchedule): void {
  const [market] = schedule.perps
  if (!market) return
  schedule.each('trade', TRADE, (timeMs, nth) => {
    const holding = schedule.holding(market)
    const side = schedule.draws('side', nth).chance(0.6) ? 'B' : 'A'
    if (holding.sz === ZERO)
      schedule.take(holding, side, schedule.size(market, SMALL_VALUE), timeMs)
  })
  // Checked every hour, so that the position's row is all the state it needs.
  schedule.each('look', { periodMs: HOUR_MS, within: 1 }, (timeMs, nth) => {
    const holding = schedule.holding(market)
    const heldMs = timeMs - (holding.position?.openMs ?? timeMs)
    const isOver = heldMs > HELD_MOST_H * HOUR_MS || schedule.draws('end', nth).chance(0.2)
    if (heldMs > HOUR_MS && isOver) schedule.close(holding, timeMs)
  })
}
