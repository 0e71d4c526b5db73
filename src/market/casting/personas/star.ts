import { HOUR_MS } from '../../../clock/instant.ts'
import type { Sz } from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { MarketPast } from '../history/past.ts'
import type { PersonaPlanner, PlannedOrder } from './persona-planner.ts'

const POSITIONS = 100
const WINS = 70
const DAYS = 29
/** Possible closing times as fractions of a position's slot. */
const CLOSINGS = [0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.78, 0.86]
const VALUE = { ofHour: 0.01, leastUsd: 2_000, mostUsd: 90_000 }
const MARKETS = 4
/** Parameters that its continuation after the tape uses. */
export const STAR = { positions: POSITIONS, days: DAYS, markets: MARKETS, value: VALUE }

/**
 * Plans seven winning positions of ten over thirty days, gains being larger than losses, and one
 * that stays open.
 */
export function planStar(desk: PersonaPlanner): void {
  const { random, startMs } = desk
  const star = desk.trader('star', 'swing', 250_000, 5)
  const markets = desk.perps.slice(0, MARKETS)
  const outcomes = shuffled(
    Array.from({ length: POSITIONS }, (_, at) => at < WINS),
    random,
  )
  const lastMs = startMs - 12 * HOUR_MS
  const slotMs = ((DAYS * desk.dayMs - 12 * HOUR_MS) * markets.length) / POSITIONS
  for (const [at, wins] of outcomes.entries()) {
    const past = markets[at % markets.length] as (typeof markets)[number]
    // Each market's slots follow one another, so no two positions of one coin overlap.
    const slot = Math.floor(at / markets.length) + 1
    const fromMs = lastMs - slot * slotMs
    const openMs = Math.floor(fromMs + 0.25 * slotMs * random.unit())
    const closings = CLOSINGS.map((part) => Math.floor(fromMs + part * slotMs))
    star.plan(roundTripOrders(desk, { past, openMs, closings, sz: desk.size(past, VALUE), wins }))
  }
  const [past] = markets
  if (!past) return
  const openings = Array.from({ length: 8 }, (_, at) => startMs - (3 + at) * HOUR_MS)
  const moves = openings.map((timeMs) => ({ timeMs, move: desk.move(past, timeMs, startMs) }))
  const best = moves.reduce((a, b) => (Math.abs(b.move) > Math.abs(a.move) ? b : a))
  const side = best.move > 0 ? 'B' : 'A'
  star.plan([{ past, timeMs: best.timeMs, side, sz: desk.size(past, VALUE) }])
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
  desk: PersonaPlanner,
  { past, openMs, closings, sz, wins }: RoundTrip,
): PlannedOrder[] {
  const moves = closings
    .map((timeMs) => ({ timeMs, move: desk.move(past, openMs, timeMs) }))
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
