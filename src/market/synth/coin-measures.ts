import { pow10 } from '../../decimal/scaled.ts'
import type { CoinRecord, RecordedBook } from './coin-record.ts'
import { priceGrid } from './price-grid.ts'
import type { BookLevel } from './synth-event.ts'

/** What a record says of an instrument; null where it says nothing. */
export interface CoinMeasures {
  spanS: number
  /** Last price, dollars. */
  px: number
  /** Where prices are all one step apart, in units; undefined where they have five figures. */
  tickUnits: number | undefined
  /** Takers' orders, their median dollars, and dollars a second. */
  orders: number
  orderUsd: number | null
  usdPerS: number
  /** Trades of an order. */
  fillsPerOrder: number | null
  /** Volatility over one second in basis points, and from how many moves it is known. */
  volatilityBp: number | null
  moves: number
  book: BookMeasures | null
  /** Mean time between two updates of the book, ms. */
  refreshMs: number | null
}

/** What books look like on average, in ticks and dollars. */
export interface BookMeasures {
  spreadTicks: number
  gapTicks: number
  /** Levels of a side. */
  levels: number
  /** Distance of the last one from the touch, as a part of the price. */
  extent: number
  /** Dollars of a side within its first NEAR_LEVELS levels, and how many ticks these reach. */
  near: { usd: number; ticks: number[] }
}

/** Levels that tell the sizes. */
const NEAR_LEVELS = 20
/** Levels are looked at up to this part of the price. */
const EXTENT_MOST = 0.3
/** Moves are measured over so long. */
const MOVE_MS = 2000

/** Measures a record. */
export function measuresOf(record: CoinRecord): CoinMeasures {
  const { instrument, fromMs, toMs, trades } = record
  const { pxDecimals, szDecimals } = instrument
  const unit = pow10(pxDecimals)
  const spanS = Math.max(1, toMs - fromMs) / 1000
  const orders = ordersOf(record)
  const usd = (px: number, lots: number) => (px / unit) * (lots / pow10(szDecimals))
  const turnover = trades.reduce((sum, { px, lots }) => sum + usd(px, lots), 0)
  const tickUnits = tickUnitsOf(record)
  const { volatilityBp, moves } = volatilityOf(pricesOf(record))
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
function ordersOf({ trades }: CoinRecord): { px: number; lots: number }[] {
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

/** Prices in order of time, from what tells most: middles of books, marks, or else trades. */
function pricesOf({ books, marks, trades }: CoinRecord): PriceAt[] {
  const middles = books.flatMap(({ timeMs, bids, asks }) => {
    const [bid, ask] = [bids[0]?.px, asks[0]?.px]
    return bid === undefined || ask === undefined ? [] : [{ timeMs, px: (bid + ask) / 2 }]
  })
  const marked = marks.map(({ timeMs, mark }) => ({ timeMs, px: mark }))
  const series = [middles, marked, trades.map(({ timeMs, px }) => ({ timeMs, px }))]
  return series.reduce((most, each) => (each.length > 1.5 * most.length ? each : most))
}

/** From moves over some seconds, which the bounce between bid and ask disturbs little. */
function volatilityOf(prices: PriceAt[]): { volatilityBp: number | null; moves: number } {
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

/** Levels without those so far away that nobody means to trade there. */
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

/** The middle of some numbers; null when there are none. */
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? null
}

/** Prices that are needed to tell a coarser step from chance. */
const PRICES_LEAST = 40

/**
 * The step between an instrument's prices, in units; undefined where they are those of the venue's
 * five figures.
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
