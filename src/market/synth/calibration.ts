import { pow10 } from '../../decimal/scaled.ts'
import { activityAt } from '../bars/activity-hours.ts'
import { BookShape, MEAN_ROUNDNESS } from './book-shape.ts'
import { type BookMeasures, type CoinMeasures, measuresOf } from './coin-measures.ts'
import type { CoinRecord } from './coin-record.ts'
import { type InstrumentProfile, MARKET_BP } from './instrument-profile.ts'
import { tickBp } from './price-grid.ts'
import { type UsualMarket, usualMarket } from './usual-market.ts'

/** So much seen counts as much as what is usual. */
const EQUAL = { orders: 3, sizes: 12, means: 60, moves: 10, spanS: 1800 }
/** What is seen of a market against its profile: orders, updates of the book, and volatility. */
const SEEN = { orders: 0.87, refreshMs: 0.88, volatility: 1.3 }
/** Move by an order of a second's turnover, in parts of a second's volatility. */
const IMPACT_OF_SECOND = 0.29
/** The largest cascades, by open interest. */
const LIQUIDATIONS = { ofUsd: 1.5e7, perDecade: 2.2, most: 6 }

/**
 * The profile of an instrument by what was seen of it; what is usual for its kind and turnover
 * stands in where little was, and moderates what may be chance.
 */
export function calibrate(record: CoinRecord): InstrumentProfile {
  const { instrument } = record
  const { coin, kind, pxDecimals, szDecimals, follows, trading } = instrument
  const measures = measuresOf(record)
  const activity = activityAt(trading ?? 'always', (record.fromMs + record.toMs) / 2)
  const usual = usualMarket(instrument, usualTurnover(record, measures, activity))
  const orders = ordersOf(measures, usual, activity)
  const volatility = volatilityOf(record, measures, usual, activity)
  const isFollower = follows !== undefined
  const book = calibratedBook(measures, usual, pxDecimals)
  const usdPerS = orders.perS * orders.meanUsd
  const interestUsd = kind === 'perp' ? interestOf(record, measures, usual, usdPerS) : 0
  return {
    coin,
    kind,
    pxDecimals,
    szDecimals,
    startPx: measures.px,
    beta: isFollower ? 0 : (usual.shared * volatility.bp) / MARKET_BP,
    ownBp: isFollower ? 0 : Math.sqrt(1 - usual.shared ** 2) * volatility.bp,
    spreadTicks: book.spreadTicks,
    gapTicks: book.gapTicks,
    levelUsd: book.levelUsd,
    levels: book.levels,
    extent: book.extent,
    ordersPerS: orders.perS,
    orderUsd: orders.usd,
    sizeTail: Math.max(1, orders.meanUsd / orders.usd / USUAL_TAIL),
    fillsPerOrder: blended(
      measures.fillsPerOrder ?? FILLS_PER_ORDER,
      FILLS_PER_ORDER,
      measures.orders / EQUAL.sizes,
    ),
    refreshMs: refreshOf(measures, usual),
    impact: IMPACT_OF_SECOND * Math.sqrt(book.levelUsd / usdPerS),
    interestUsd,
    premium: kind === 'perp' ? (record.premium ?? 0) : 0,
    premiumSpread: kind === 'perp' ? usual.premiumSpread : 0,
    liquidations: liquidationsOf(interestUsd),
    follows,
    trading,
    tickUnits: measures.tickUnits,
    unusual: { activity: orders.unusual, volatility: volatility.unusual },
  }
}

/** Books do not change more often than steps come. */
const REFRESH_LEAST_MS = 100

function refreshOf({ refreshMs }: CoinMeasures, usual: UsualMarket): number {
  return Math.max(
    REFRESH_LEAST_MS,
    refreshMs === null ? usual.refreshMs : refreshMs / SEEN.refreshMs,
  )
}

interface Calibrated {
  /** Against the usual, as of now. */
  unusual: number
}

/** Mean turnover of the week, dollars a second. */
function usualTurnover(
  { usual, openInterestLots, instrument }: CoinRecord,
  { usdPerS, orders, px }: CoinMeasures,
  activity: number,
): number {
  if (usual?.usdPerS) return usual.usdPerS
  // Open interest is about what is traded in a day.
  const interest = ((openInterestLots ?? 0) / pow10(instrument.szDecimals)) * px
  const unseen = interest > 0 ? interest / 86_400 : UNKNOWN_USD_PER_S
  return blended(usdPerS > 0 ? usdPerS / activity : unseen, unseen, orders / EQUAL.orders)
}

/** Of an instrument of which nothing is known. */
const UNKNOWN_USD_PER_S = 100

function ordersOf(
  { orders, spanS, orderUsd, usdPerS }: CoinMeasures,
  usual: UsualMarket,
  activity: number,
): Calibrated & { perS: number; usd: number; meanUsd: number } {
  const usualMean = MEAN_TO_MEDIAN * usual.orderUsd
  const seenMean = orders > 0 ? (usdPerS * spanS) / orders : usualMean
  // A few large orders make a mean, so more of them are needed than for a median.
  const meanUsd = blended(seenMean, usualMean, orders / EQUAL.means)
  const usualPerS = usual.usdPerS / meanUsd
  const expected = usualPerS * activity
  const now = (orders + EQUAL.orders) / (spanS + EQUAL.orders / expected) / SEEN.orders
  const perS = blended(now / activity, usualPerS, spanS / EQUAL.spanS)
  const usd = blended(orderUsd ?? usual.orderUsd, usual.orderUsd, orders / EQUAL.sizes)
  return { perS, usd, meanUsd, unusual: now / activity / perS }
}

function volatilityOf(
  record: CoinRecord,
  { volatilityBp, moves, spanS }: CoinMeasures,
  usual: UsualMarket,
  activity: number,
): Calibrated & { bp: number } {
  const byHour = Math.sqrt(activity)
  const weeks = record.usual?.volatilityBp
  const known = weeks === undefined ? undefined : weeks / SEEN.volatility
  const expected = known ?? usual.volatilityBp
  const seen = (volatilityBp ?? expected * byHour) / byHour / SEEN.volatility
  const now = blended(Math.max(seen, expected / 20), expected, moves / EQUAL.moves)
  const bp = known ?? blended(now, expected, spanS / EQUAL.spanS)
  return { bp, unusual: now / bp }
}

/** Between what was seen and what is usual, in logarithms; `weight` 1 is halfway. */
function blended(seen: number, usual: number, weight: number): number {
  const part = weight / (1 + weight)
  return Math.exp(part * Math.log(seen) + (1 - part) * Math.log(usual))
}

function interestOf(
  { openInterestLots, instrument }: CoinRecord,
  { px }: CoinMeasures,
  usual: UsualMarket,
  usdPerS: number,
): number {
  if (openInterestLots === null) return usual.interestDays * usdPerS * 86_400
  return (openInterestLots / pow10(instrument.szDecimals)) * px
}

function liquidationsOf(interestUsd: number): number {
  const { ofUsd, perDecade, most } = LIQUIDATIONS
  const count = perDecade * Math.log10(Math.max(1, interestUsd) / ofUsd)
  return Math.max(0, Math.min(most, Math.round(count)))
}

/** The same of what takers send, and trades that an order makes, where nothing else is known. */
const USUAL_TAIL = 4
const FILLS_PER_ORDER = 1.3

/** How much larger the mean order is than the median one. */
const MEAN_TO_MEDIAN = 3.4

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
function calibratedBook(
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
