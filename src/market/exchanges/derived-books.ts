/**
 * Books of the same assets on other exchanges. Each is centred on the pair's last price, with the
 * exchange's spread, tick and order density: its depth at a distance from the middle is the venue's
 * times the exchange's share, and sizes fluctuate per price.
 */
import type { TapeMs } from '../../clock/instant.ts'
import { type Px, px, raw, sz } from '../../decimal/quantity.ts'
import { type Book, type PriceLevel, priceLevel } from '../books/book.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import { hashAt, normalAt, pathAt, unitAt } from '../synth/distributions.ts'
import type { Exchange } from './exchanges.ts'
import { tickOf } from './pair-minutes.ts'

/** Parameters of an exchange's book at an instant. */
export interface BookView {
  exchange: Exchange
  /** Premium of its prices over the venue's, as a fraction. */
  basis: number
  /** Last price of the venue; null before the first trade. */
  ownPx: Px | null
  /** Salt of the pair. */
  salt: number
  timeMs: TapeMs
  /** Spread relative to the usual; 1 by default. */
  spread?: number
}

/** The book of another exchange, in the venue's units. Never crossed. */
export function derivedBook(book: Book, of: Pick<InstrumentRow, 'firstPx'>, view: BookView): Book {
  const { timeMs } = view
  const tick = tickOf(of, view.exchange)
  const [bid, ask] = bestPrices(book, view, tick)
  return {
    timeMs,
    bids: bid === null ? [] : sideLevels(book.bids, view, { bestPx: bid, tick, way: -1 }),
    asks: ask === null ? [] : sideLevels(book.asks, view, { bestPx: ask, tick, way: 1 }),
    roundedCache: new Map(),
  }
}

/**
 * Best prices in ticks; null for an empty side. The last price, clamped to the venue's book, is the
 * best one of the side that traded.
 */
function bestPrices({ bids, asks }: Book, view: BookView, tick: number) {
  const [bid, ask] = [bids[0], asks[0]]
  const [low, high] = [raw((bid ?? ask)?.px ?? px(0)), raw((ask ?? bid)?.px ?? px(0))]
  const { exchange, salt, timeMs, basis, ownPx } = view
  const last = Math.min(high, Math.max(low, ownPx === null ? low : raw(ownPx)))
  const price = Math.max(tick, Math.round((last * (1 + basis)) / tick) * tick)
  const usual = (price * exchange.spread * (view.spread ?? 1) * HUNDREDTH_BP) / tick
  const wide = Math.exp(SPREAD_SD * normalAt(salt ^ SPREADS, Math.floor(timeMs / SPREAD_MS)))
  const spread = Math.max(1, Math.round(usual * wide)) * tick
  const isAsk = 2 * last > low + high && price > spread
  const bidPx = isAsk ? price - spread : price
  return [bid ? bidPx : null, ask ? bidPx + spread : null] as const
}

const HUNDREDTH_BP = 1e-6
const SPREAD_SD = 0.5
/** Lifetime of a spread. */
const SPREAD_MS = 700
/** Levels of a side: adjacent prices first, then increasingly sparse ones, and the total. */
const CLOSE_LEVELS = 80
const LEVELS_MAX = 400
/** Growth of each step beyond the close levels. */
const WIDENING = 1.012
/** Fluctuation of a price's size. */
const SIZE_SD = 0.75
const SIZE_MS = 25_000
/** Period in which a price's orders disappear or return. */
const FILLED_MS = 90_000
const [SPREADS, SIZES, FILLED] = [0x13579bdf, 0x2468ace1, 0x3579bdf1] as const

interface SideShape {
  bestPx: number
  tick: number
  /** 1 for asks. */
  way: 1 | -1
}

function sideLevels(
  own: readonly PriceLevel[],
  view: BookView,
  { bestPx, tick, way }: SideShape,
): PriceLevel[] {
  const depth = depthOf(own)
  const levels: PriceLevel[] = []
  let [distance, step, before] = [0, 1, 0]
  while (levels.length < LEVELS_MAX && distance * tick < depth.reach) {
    const price = bestPx + way * distance * tick
    if (price <= 0) break
    const width = Math.max(1, Math.round(step))
    const until = depth.until((distance + width) * tick)
    if (distance === 0 || isFilled(view, price)) {
      levels.push(priceLevel([px(price), sizeAt(view, price, until - before), 1]))
      before = until
    }
    distance += width
    if (distance > CLOSE_LEVELS) step *= WIDENING
  }
  return levels
}

function isFilled({ exchange, salt, timeMs }: BookView, price: number): boolean {
  const place = hashAt(salt ^ FILLED, price)
  return (
    unitAt(place, Math.floor((timeMs + (place % FILLED_MS)) / FILLED_MS)) * 100 < exchange.filled
  )
}

function sizeAt({ exchange, salt, timeMs }: BookView, price: number, own: number) {
  const noise = SIZE_SD * pathAt(hashAt(salt ^ SIZES, price), SIZE_MS, timeMs) - SIZE_SD ** 2 / 2
  return sz(Math.max(1, Math.round((own * exchange.depth * Math.exp(noise)) / 100)))
}

/**
 * Depth within a distance of a side's best price. Each level is spread up to the next one, not over
 * the mean gap: a few distant levels would thin the book at its best price.
 */
function depthOf(side: readonly PriceLevel[]) {
  const best = raw((side[0] as PriceLevel).px)
  const from = side.map((level) => Math.abs(raw(level.px) - best))
  const last = from.at(-1) as number
  const gap = Math.max(1, last / Math.max(1, side.length - 1))
  const distances = [...from.slice(1), last + gap]
  const sums: number[] = []
  for (const level of side) sums.push((sums.at(-1) ?? 0) + raw(level.sz))
  let at = 0
  return {
    reach: last + gap,
    /** Distances must rise from call to call. */
    until(distance: number): number {
      while (at < distances.length - 1 && (distances[at] as number) < distance) at++
      const [from, sum] = at === 0 ? [0, 0] : [distances[at - 1] as number, sums[at - 1] as number]
      const [to, next] = [distances[at] as number, sums[at] as number]
      return sum + (next - sum) * Math.min(1, (distance - from) / (to - from))
    },
  }
}
