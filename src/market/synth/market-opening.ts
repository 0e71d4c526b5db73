import { pow10 } from '../../decimal/scaled.ts'
import { metFairPrice } from './fair-price.ts'
import type { InstrumentProfile } from './instrument-profile.ts'
import { LocalConditions } from './local-conditions.ts'
import { type MarketState, newMarket } from './market-state.ts'
import { type PriceGrid, priceGrid } from './price-grid.ts'
import { atPrice } from './profile-price.ts'
import {
  BOOK_SIDES,
  type BookSide,
  type BookState,
  OUTWARD_STEP,
  type SynthLevel,
} from './synth-book.ts'
import type { BookLevel } from './synth-event.ts'
import { metTakers } from './takers.ts'
import { dueSchedule } from './task-schedule.ts'
import { newClosings } from './usual-liquidations.ts'
import type { WanderState } from './wandering-regimes.ts'

/** What stands in the market of an instrument when it is opened. */
export interface MarketOpening {
  profile: InstrumentProfile
  /** Its book, each side from the touch outward; a side that is missing is made. */
  book: { bids: readonly BookLevel[]; asks: readonly BookLevel[] }
  /** Price of its last trade, in units of 10^-pxDecimals. */
  lastPx: number
  /** Oracle price in units; null where none was published. */
  oraclePx: number | null
  /** Average premium of the perpetual over its oracle, as a part of one. */
  premium: number
  openInterestLots: number
  /** What it grows to with what is traded where that is more, as of a coin that is new. */
  usualInterestLots?: number
}

/** The market of an opening at an instant. What is drawn follows from `key`. */
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
    price: metFairPrice(key),
    book,
    makers: fresh.makers,
    takers: metTakers(key, profile, local.activity),
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
    // Who opens a market knows its positions, and liquidates them himself.
    closings: newClosings(key, profile, local.volatility),
    lastTick: Math.round(grid.tickAt(opening.lastPx)),
    depth: null,
  }
}

/** The book in ticks, without what lies on the wrong side of a better price. */
function bookOf({ book }: MarketOpening, grid: PriceGrid): BookState {
  const bids = sideOf('bids', book.bids, grid)
  // Below the lowest tick there is no place for a bid.
  const best = bids.at(-1)?.tick ?? 1
  return { bids, asks: sideOf('asks', book.asks, grid).filter(({ tick }) => tick > best) }
}

/** Levels of a side, the worst first; those that fall on the same tick are one. */
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

/** The middle of a book in units; null when it is empty. */
function middle(book: BookState, grid: PriceGrid): number | null {
  const best = BOOK_SIDES.flatMap((side) => book[side].slice(-1))
  if (best.length === 0) return null
  return best.reduce((sum, { tick }) => sum + grid.unitsAt(tick), 0) / best.length
}
