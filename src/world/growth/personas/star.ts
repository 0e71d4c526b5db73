import { DAY_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { raw, ZERO } from '../../../decimal/quantity.ts'
import type { MarketState } from '../../casting/market/market-state.ts'
import { STAR } from '../../casting/personas/star.ts'
import type { PersonaDay } from './persona-day.ts'

/** Of so many positions one after the other, so many are closed with a gain. */
const BLOCK = { positions: 10, wins: 7 }
/** Gains and losses at which a position is closed that is old enough, as parts of its cost. */
const GAIN = 0.005
const LOSS = 0.002
/** Parts of its time: from when on it may be closed, and when it is whatever it has come to. */
const AGE = { least: 0.3, most: 8 }
const LOOK_MS = 5 * MINUTE_MS

/** Goes with the price, and waits until a position has come to what it should: 7 of 10 gain. */
export function goOnAsStar(day: PersonaDay): void {
  const markets = day.perps.slice(0, STAR.markets)
  const periodMs = (STAR.days * DAY_MS * markets.length) / STAR.positions
  for (const [at, market] of markets.entries()) {
    const name = `of ${market.row.coin}`
    day.each(`opening ${name}`, { periodMs, within: 0.25 }, (timeMs) => {
      const holding = day.holding(market)
      if (holding.sz === ZERO)
        day.take(holding, sideOf(market), day.size(market, STAR.value), timeMs)
    })
    day.each(`look ${name}`, { periodMs: LOOK_MS, within: 1 }, (timeMs) => {
      const holding = day.holding(market)
      if (!holding.position) return
      const { openMs } = holding.position
      const nth = Math.floor((openMs - day.times.originMs) / periodMs) * markets.length + at
      const gained = day.gained(holding)
      const isDone = isWin(day, nth) ? gained > GAIN : gained < -LOSS
      const age = (timeMs - openMs) / periodMs
      if ((isDone && age > AGE.least) || age > AGE.most) day.close(holding, timeMs)
    })
  }
}

const sideOf = (market: MarketState) =>
  market.memory.returnOver(60, raw(market.px)) >= 0 ? 'B' : 'A'

/** Whether the n-th position is to gain. */
function isWin(day: PersonaDay, nth: number): boolean {
  const block = Math.floor(nth / BLOCK.positions)
  const draws = day.draws('outcomes', block)
  const order = Array.from({ length: BLOCK.positions }, (_, place) => ({
    place,
    drawn: draws.unit(),
  })).sort((a, b) => a.drawn - b.drawn)
  const { place } = order[nth - block * BLOCK.positions] as { place: number }
  return place < BLOCK.wins
}
