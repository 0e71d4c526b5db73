import { HOUR_MS } from '../../../clock/durations.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import type { PersonaDesk } from './persona-desk.ts'
import { roundTripOrders } from './round-trip.ts'

const POSITIONS = 100
const WINS = 70
const DAYS = 29
/** Parts of the time a position has at which it may be closed. */
const CLOSINGS = [0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.78, 0.86]
const VALUE = { ofHour: 0.01, leastUsd: 2_000, mostUsd: 90_000 }
const MARKETS = 4
/** What it goes on with after the tape. */
export const STAR = { positions: POSITIONS, days: DAYS, markets: MARKETS, value: VALUE }

/** Wins seven positions of ten over thirty days, gains being larger than losses; holds one more. */
export function planStar(desk: PersonaDesk): void {
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
    // Each market has its slots one after the other, so no two positions of one coin meet.
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
