import { BookShape, MEAN_ROUNDNESS } from './book-shape.ts'
import type { BookMeasures, CoinMeasures } from './coin-measures.ts'
import { tickBp } from './price-grid.ts'
import type { UsualMarket } from './usual-market.ts'

/** The book's part of a profile. */
interface CalibratedBook {
  spreadTicks: number
  gapTicks: number
  levelUsd: number
  levels: number
  extent: number
}

/** Books of so few levels are cut: there are more beyond, out to this part of the price. */
const CUT = { levels: 25, extent: 0.05 }
/** Levels that lie as densely as those near the touch, where a book is cut. */
const DENSE_LEVELS = 50
/** Books have more levels than their profile says: those near the touch come and go. */
const SEEN_LEVELS = 1.15
/** No book has more, and none fewer. */
const LEVELS = { most: 4000, least: 40 }

/** What makers quote where books were seen, or as is usual. */
export function calibratedBook(
  { book, px, tickUnits }: CoinMeasures,
  usual: UsualMarket,
  pxDecimals: number,
): CalibratedBook {
  const bp = tickBp({ pxDecimals, tickUnits, startPx: px })
  if (!book) return usualBook(usual, bp)
  const { spreadTicks, gapTicks: gap, near } = book
  const gapTicks = Math.max(1, gap)
  const isCut = book.levels <= CUT.levels
  const extent = isCut ? Math.max(CUT.extent, 1.5 * book.extent) : book.extent
  const levels = isCut ? levelsWithin(extent, gapTicks, bp) : book.levels / SEEN_LEVELS
  const shape = new BookShape({ levels, gapTicks, extent, pxDecimals, tickUnits, startPx: px })
  return {
    spreadTicks: Math.max(1, spreadTicks),
    gapTicks,
    levelUsd: levelUsdOf(near, shape),
    levels: Math.round(Math.min(LEVELS.most, Math.max(LEVELS.least, levels))),
    extent,
  }
}

function usualBook({ spreadBp, levelUsd }: UsualMarket, tick: number): CalibratedBook {
  const spreadTicks = Math.max(1, Math.round(spreadBp / tick))
  const gapTicks = Math.max(1, spreadTicks / 3)
  const levels = levelsWithin(CUT.extent, gapTicks, tick)
  return { spreadTicks, gapTicks, levelUsd, levels, extent: CUT.extent }
}

/** Levels of a book that grows sparser with the distance. */
function levelsWithin(extent: number, gapTicks: number, tick: number): number {
  const ticks = (extent * 10_000) / tick
  const dense = Math.min(ticks, DENSE_LEVELS * gapTicks)
  const levels = (dense / gapTicks) * (1 + Math.log(ticks / dense))
  return Math.round(Math.min(LEVELS.most, Math.max(LEVELS.least, levels)))
}

/** The size of a level by what stands near the touch, as sizes go by the distance. */
function levelUsdOf({ usd, ticks }: BookMeasures['near'], shape: BookShape): number {
  const shares = ticks.reduce((sum, distance) => sum + shape.size(distance), 0)
  return Math.max(LEVEL_LEAST_USD, usd / (MEAN_ROUNDNESS * shares))
}

const LEVEL_LEAST_USD = 50
