import { pow10 } from '../../decimal/quantity.ts'
import { activityAt, HOUR_EXPONENT } from '../bars/market-regimes.ts'
import {
  type CoinRecord,
  IMPACT_OF_SECOND,
  type InstrumentProfile,
  MARKET_BP,
  type RecordedBook,
  SEEN_VOLATILITY,
  type UsualMarket,
  usualMarket,
} from './instrument-profile.ts'
import { priceGrid, tickBp } from './order-matching.ts'
import { BookShape, MEAN_ROUNDNESS } from './quoting.ts'
import type { BookLevel } from './synth-event.ts'
import { SIZE_TAIL } from './takers.ts'

/** Amount of observations that weighs as much as the usual value. */
const EQUAL = { orders: 3, sizes: 12, means: 60, moves: 10, spanS: 1800 }
/** Observed over configured values: orders, updates of the book, and volatility. */
const SEEN = { orders: 1, refreshMs: 0.88, volatility: SEEN_VOLATILITY }
/** The largest cascades, by open interest. */
const LIQUIDATIONS = { ofUsd: 1.5e7, perDecade: 2.2, most: 6 }

/**
 * The profile of an instrument from its observations; usual values of its kind and turnover replace
 * missing ones and moderate chance.
 */
export function calibrate(record: CoinRecord): InstrumentProfile {
  const { instrument } = record
  const { coin, kind, pxDecimals, szDecimals, follows, trading } = instrument
  const measures = measuresOf(record)
  const activity = activityAt(trading ?? 'always', (record.fromMs + record.toMs) / 2)
  const usual = usualMarket(instrument, usualTurnover(record, measures, activity))
  const book = calibratedBook(measures, usual, pxDecimals)
  const isKnown = Boolean(record.usual?.usdPerS)
  const orders = ordersOf(measures, { ...usual, isKnown }, activity)
  const volatility = volatilityOf(record, measures, usual, activity)
  const parts = partsOf(usual.shared)
  const isFollower = follows !== undefined
  const usdPerS = orders.perS * orders.meanUsd
  const openInterestUsd = kind === 'perp' ? openInterestOf(record, measures, usual, usdPerS) : 0
  return {
    coin,
    kind,
    pxDecimals,
    szDecimals,
    startPx: measures.px,
    beta: isFollower ? 0 : (parts.shared * volatility.bp) / MARKET_BP,
    ownBp: isFollower ? 0 : parts.own * volatility.bp,
    spreadTicks: book.spreadTicks,
    gapTicks: book.gapTicks,
    levelUsd: book.levelUsd,
    bookDepth: book.bookDepth,
    levels: book.levels,
    extent: book.extent,
    ordersPerS: orders.perS,
    orderUsd: orders.usd,
    sizeTail: orders.sizeTail,
    fillsPerOrder: blended(
      measures.fillsPerOrder ?? FILLS_PER_ORDER,
      FILLS_PER_ORDER,
      measures.orders / EQUAL.sizes,
    ),
    refreshMs: refreshOf(measures, usual),
    impact: IMPACT_OF_SECOND * Math.sqrt(book.levelUsd / usdPerS),
    interestUsd: openInterestUsd,
    premium: kind === 'perp' ? (record.premium ?? 0) : 0,
    premiumSpread: kind === 'perp' ? usual.premiumSpread : 0,
    liquidations: liquidationsOf(openInterestUsd),
    follows,
    trading,
    tickUnits: measures.tickUnits,
    unusual: { activity: orders.unusual, volatility: volatility.unusual },
  }
}

/** Variance of the whole market with jumps and cascades, relative to that without. */
const SHARED_MORE = 1.1
/** Variance of own moves relative to what is drawn: their bursts are those of the market, too. */
const OWN_LESS = 0.75
/** Least part of the variance that is the instrument's own. */
const OWN_LEAST = 0.06

/** Parts of the fair price's volatility at a correlation with the market. */
function partsOf(correlation: number): { shared: number; own: number } {
  const shared = correlation ** 2 / SHARED_MORE
  const own = Math.max(OWN_LEAST, (1 - correlation ** 2) / OWN_LESS)
  const all = shared + own
  return { shared: Math.sqrt(shared / all), own: Math.sqrt(own / all) }
}

/** Books do not change more often than once a step. */
const REFRESH_LEAST_MS = 100

function refreshOf({ refreshMs }: CoinMeasures, usual: UsualMarket): number {
  return Math.max(
    REFRESH_LEAST_MS,
    refreshMs === null ? usual.refreshMs : refreshMs / SEEN.refreshMs,
  )
}

interface Calibrated {
  /** Present value relative to the usual one. */
  unusual: number
}

/** Mean turnover of the week, dollars a second. */
function usualTurnover(
  { usual, openInterestLots, instrument }: CoinRecord,
  { usdPerS, orders, px }: CoinMeasures,
  activity: number,
): number {
  if (usual?.usdPerS) return usual.usdPerS
  // Open interest is about one day's turnover.
  const interest = ((openInterestLots ?? 0) / pow10(instrument.szDecimals)) * px
  const unseen = interest > 0 ? interest / 86_400 : UNKNOWN_USD_PER_S
  return blended(usdPerS > 0 ? usdPerS / activity : unseen, unseen, orders / EQUAL.orders)
}

/** Default for an unknown instrument. */
const UNKNOWN_USD_PER_S = 100

/** Takers' orders. */
function ordersOf(
  { orders, spanS, orderUsd, usdPerS }: CoinMeasures,
  usual: UsualMarket & { isKnown: boolean },
  activity: number,
): Calibrated & { perS: number; usd: number; meanUsd: number; sizeTail: number } {
  const usualMean = MEAN_TO_USUAL * usual.orderUsd
  const seenMean = orders > 0 ? (usdPerS * spanS) / orders : usualMean
  // A few large orders dominate a mean, so it needs more of them than a median.
  const meanUsd = blended(seenMean, usualMean, orders / EQUAL.means)
  const { isKnown } = usual
  const usualPerS = usual.usdPerS / meanUsd
  const expected = usualPerS * activity
  const now = (orders + EQUAL.orders) / (spanS + EQUAL.orders / expected) / SEEN.orders
  const seenPerS = now / activity
  // Weeks before a tape say more of the usual than its minutes.
  const perS = isKnown ? usualPerS : blended(seenPerS, usualPerS, spanS / EQUAL.spanS)
  const usualMedian = usualMean / SIZE_TAIL
  const median = blended(orderUsd ?? usualMedian, usualMedian, orders / EQUAL.sizes)
  const { least, most } = TAILS
  const sizeTail = Math.min(most, Math.max(least, meanUsd / median))
  const usd = meanUsd / SEEN_MEAN
  return { perS, usd, meanUsd, sizeTail, unusual: seenPerS / perS }
}

function volatilityOf(
  record: CoinRecord,
  { volatilityBp, moves, spanS }: CoinMeasures,
  usual: UsualMarket,
  activity: number,
): Calibrated & { bp: number } {
  const byHour = activity ** HOUR_EXPONENT
  const weeks = record.usual?.volatilityBp
  const known = weeks === undefined ? undefined : weeks / SEEN.volatility
  const expected = known ?? usual.volatilityBp
  const seen = (volatilityBp ?? expected * byHour) / byHour / SEEN.volatility
  const now = blended(Math.max(seen, expected / 20), expected, moves / EQUAL.moves)
  const bp = known ?? blended(now, expected, spanS / EQUAL.spanS)
  return { bp, unusual: now / bp }
}

/** Between an observed and a usual value, in logarithms; `weight` 1 is halfway. */
function blended(seen: number, usual: number, weight: number): number {
  const part = weight / (1 + weight)
  return Math.exp(part * Math.log(seen) + (1 - part) * Math.log(usual))
}

function openInterestOf(
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

/** Bounds of the mean order over the median one. */
const TAILS = { least: 2, most: 60 }
/** Observed mean order over the configured usual one. */
const SEEN_MEAN = 3.3
const FILLS_PER_ORDER = 1.3

/** Mean order over the usual one, without observations. */
const MEAN_TO_USUAL = 3.4

/** The book's part of a profile. */
interface CalibratedBook {
  spreadTicks: number
  gapTicks: number
  levelUsd: number
  bookDepth: number
  levels: number
  extent: number
}

/** Books with so few levels are truncated: more lie beyond, up to this part of the price. */
const CUT = { levels: 25, extent: 0.05 }
/** Levels as dense as those near the touch, where a book is truncated. */
const DENSE_LEVELS = 50
/** Books have more levels than their profile: those near the touch fluctuate. */
const SEEN_LEVELS = 1.15
/** Bounds of the number of levels. */
const LEVELS = { most: 4000, least: 40 }

/** A book is unusually deep from so many times the usual one on. */
const DEEP = 2.5
/** Part of a deep book's excess that its levels near the touch have on average. */
const NEAR_EXCESS = 0.65

/** Makers' quotes from observed books, or usual ones. */
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
  const seenUsd = levelUsdOf(near, shape)
  const isDeep = seenUsd > DEEP * usual.levelUsd
  const excess = isDeep ? seenUsd / usual.levelUsd : 1
  return {
    spreadTicks: Math.max(1, spreadTicks),
    gapTicks,
    levelUsd: seenUsd / excess,
    bookDepth: 1 + (excess - 1) / NEAR_EXCESS,
    levels: Math.round(Math.min(LEVELS.most, Math.max(LEVELS.least, levels))),
    extent,
  }
}

function usualBook({ spreadBp, levelUsd }: UsualMarket, tick: number): CalibratedBook {
  const spreadTicks = Math.max(1, Math.round(spreadBp / tick))
  const gapTicks = Math.max(1, spreadTicks / 3)
  const levels = levelsWithin(CUT.extent, gapTicks, tick)
  return { spreadTicks, gapTicks, levelUsd, bookDepth: 1, levels, extent: CUT.extent }
}

/** Number of levels in a book that grows sparser with the distance. */
function levelsWithin(extent: number, gapTicks: number, tick: number): number {
  const ticks = (extent * 10_000) / tick
  const dense = Math.min(ticks, DENSE_LEVELS * gapTicks)
  const levels = (dense / gapTicks) * (1 + Math.log(ticks / dense))
  return Math.round(Math.min(LEVELS.most, Math.max(LEVELS.least, levels)))
}

/** Level size from the depth near the touch, by the shape of the book. */
function levelUsdOf({ usd, ticks }: BookMeasures['near'], shape: BookShape): number {
  const shares = ticks.reduce((sum, distance) => sum + shape.size(distance), 0)
  return Math.max(LEVEL_LEAST_USD, usd / (MEAN_ROUNDNESS * shares))
}

const LEVEL_LEAST_USD = 50

/** Measures of an instrument's record; null where it has no data. */
export interface CoinMeasures {
  spanS: number
  /** Last price, dollars. */
  px: number
  /** Constant price step, in units; undefined where prices have five figures. */
  tickUnits: number | undefined
  /** Number of takers' orders, their median dollars, and dollars a second. */
  orders: number
  orderUsd: number | null
  usdPerS: number
  /** Trades per order. */
  fillsPerOrder: number | null
  /** Volatility over one second in basis points, and the number of moves behind it. */
  volatilityBp: number | null
  moves: number
  book: BookMeasures | null
  /** Mean time between two updates of the book, ms. */
  refreshMs: number | null
}

/** Average book, in ticks and dollars. */
interface BookMeasures {
  spreadTicks: number
  gapTicks: number
  /** Levels of a side. */
  levels: number
  /** Distance of the last one from the touch, as a fraction of the price. */
  extent: number
  /** Dollars of a side within its first NEAR_LEVELS levels, and their distances in ticks. */
  near: { usd: number; ticks: number[] }
}

/** Levels that determine the sizes. */
const NEAR_LEVELS = 20
/** Levels beyond this part of the price are ignored. */
const EXTENT_MOST = 0.3
/** Moves are measured over this time. */
const MOVE_MS = 2000

/** Measures a record. */
export function measuresOf(record: CoinRecord): CoinMeasures {
  const { instrument, fromMs, toMs, trades } = record
  const { pxDecimals, szDecimals } = instrument
  const unit = pow10(pxDecimals)
  const spanS = Math.max(1, toMs - fromMs) / 1000
  const orders = measuredOrdersOf(record)
  const usd = (px: number, lots: number) => (px / unit) * (lots / pow10(szDecimals))
  const turnover = trades.reduce((sum, { px, lots }) => sum + usd(px, lots), 0)
  const tickUnits = tickUnitsOf(record)
  const { volatilityBp, moves } = measuredVolatilityOf(pricesOf(record))
  const updates = Math.max(0, record.bookUpdates - orders.length)
  return {
    spanS,
    px: lastPx(record) / unit,
    tickUnits,
    orders: orders.length,
    orderUsd: median(orders.map(({ px, lots }) => usd(px, lots))),
    usdPerS: turnover / spanS,
    fillsPerOrder: orders.length === 0 ? null : trades.length / orders.length,
    volatilityBp,
    moves,
    book: booksOf(record, tickUnits),
    refreshMs: updates < 2 ? null : (spanS * 1000) / updates,
  }
}

/** Trades of one instant and side as one order. */
function measuredOrdersOf({ trades }: CoinRecord): { px: number; lots: number }[] {
  const orders: { px: number; lots: number; timeMs: number; side: string }[] = []
  for (const { timeMs, side, px, lots } of trades) {
    const last = orders.at(-1)
    if (last?.timeMs === timeMs && last.side === side) last.lots += lots
    else orders.push({ timeMs, side, px, lots })
  }
  return orders
}

interface PriceAt {
  timeMs: number
  px: number
}

/** Prices in order of time, from the best source: mid prices, marks, or else trades. */
function pricesOf({ books, marks, trades }: CoinRecord): PriceAt[] {
  const middles = books.flatMap(({ timeMs, bids, asks }) => {
    const [bid, ask] = [bids[0]?.px, asks[0]?.px]
    return bid === undefined || ask === undefined ? [] : [{ timeMs, px: (bid + ask) / 2 }]
  })
  const marked = marks.map(({ timeMs, mark }) => ({ timeMs, px: mark }))
  const series = [middles, marked, trades.map(({ timeMs, px }) => ({ timeMs, px }))]
  return series.reduce((most, each) => (each.length > 1.5 * most.length ? each : most))
}

/** From moves over some seconds, on which the bid-ask bounce has little effect. */
function measuredVolatilityOf(prices: PriceAt[]): { volatilityBp: number | null; moves: number } {
  let [variance, seconds, moves] = [0, 0, 0]
  let from = prices[0]
  for (const price of prices) {
    if (!from || price.timeMs - from.timeMs < MOVE_MS) continue
    variance += Math.log(price.px / from.px) ** 2
    seconds += (price.timeMs - from.timeMs) / 1000
    moves++
    from = price
  }
  return { volatilityBp: moves < 3 ? null : 10_000 * Math.sqrt(variance / seconds), moves }
}

function booksOf(record: CoinRecord, tickUnits: number | undefined): BookMeasures | null {
  const { pxDecimals, szDecimals } = record.instrument
  const grid = priceGrid(tickUnits === undefined ? { pxDecimals } : { pxDecimals, tickUnits })
  const lotUnits = pow10(pxDecimals) * pow10(szDecimals)
  const whole = record.books
    .map(({ timeMs, bids, asks }) => ({ timeMs, bids: meant(bids), asks: meant(asks) }))
    .filter(({ bids, asks }) => bids.length > 1 && asks.length > 1)
  const sides = whole.flatMap(({ bids, asks }) => [bids, asks])
  if (sides.length === 0) return null
  const spread = ({ bids, asks }: RecordedBook) => tickOf(asks[0]) - tickOf(bids[0])
  const tickOf = (level: BookLevel | undefined) => grid.tickAt(level?.px ?? 0)
  const distances = (side: readonly BookLevel[]) =>
    side.slice(0, NEAR_LEVELS).map((level) => Math.abs(tickOf(level) - tickOf(side[0])))
  const extents = sides.map((side) => Math.abs((side.at(-1)?.px ?? 0) / (side[0]?.px ?? 1) - 1))
  const gaps = sides.map(
    (side) => (distances(side).at(-1) ?? 1) / (Math.min(NEAR_LEVELS, side.length) - 1),
  )
  const usd = sides.map((side) =>
    side.slice(0, NEAR_LEVELS).reduce((sum, { px, lots }) => sum + (px * lots) / lotUnits, 0),
  )
  const middle = sides[Math.floor(sides.length / 2)] ?? []
  return {
    spreadTicks: median(whole.map(spread)) ?? 1,
    gapTicks: median(gaps) ?? 1,
    levels: median(sides.map(({ length }) => length)) ?? 0,
    extent: median(extents) ?? 0,
    near: { usd: median(usd) ?? 0, ticks: distances(middle) },
  }
}

/** Levels without those too far away to be serious. */
function meant(side: readonly BookLevel[]): readonly BookLevel[] {
  const best = side[0]?.px ?? 0
  const reached = side.findIndex(({ px }) => Math.abs(px - best) > EXTENT_MOST * best)
  return reached < 0 ? side : side.slice(0, reached)
}

function lastPx({ books, trades, marks, lastPx: given }: CoinRecord): number {
  const last = books.at(-1)
  const [bid, ask] = [last?.bids[0]?.px, last?.asks[0]?.px]
  if (bid !== undefined && ask !== undefined) return (bid + ask) / 2
  return trades.at(-1)?.px ?? marks.at(-1)?.mark ?? given
}

/** Median; null for an empty list. */
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

/** Prices needed to distinguish a coarser step from chance. */
const PRICES_LEAST = 40

/**
 * The step between an instrument's prices, in units; undefined where they follow the venue's five
 * figures.
 */
function tickUnitsOf({ instrument, trades, books }: CoinRecord): number | undefined {
  const { tickAt, unitsAt } = priceGrid({ pxDecimals: instrument.pxDecimals })
  const prices = new Set(trades.map(({ px }) => px))
  for (const { bids, asks } of books) for (const { px } of [...bids, ...asks]) prices.add(px)
  let [step, fits] = [0, true]
  for (const px of prices) {
    step = greatestDivisor(step, px)
    fits &&= Number.isInteger(tickAt(px))
  }
  const [first = 0] = prices
  const fine = unitsAt(Math.floor(tickAt(first)) + 1) - unitsAt(Math.floor(tickAt(first)))
  const isCoarser = prices.size >= PRICES_LEAST && step > fine
  return fits && !isCoarser ? undefined : Math.max(1, step)
}

function greatestDivisor(a: number, b: number): number {
  let [one, other] = [a, b]
  while (other > 0) [one, other] = [other, one % other]
  return one
}
