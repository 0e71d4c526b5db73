/**
 * A coin's market by quarters of an hour: price, taker flow, and open orders. Each step contains
 * only what happened by its instant.
 */

import { sql } from 'drizzle-orm'
import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import { add, negate, subtract, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { notionalOf } from '../../accounting/position.ts'
import type { PriceLevel } from '../../books/book.ts'
import { bookCacheOf } from '../../books/book-cache.ts'
import { columns, type RowOf } from '../../rows/columns.ts'
import { type InstrumentRow, orders, trade } from '../../schema/schema.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import { type PriceBar, priceBarsOf, readPriceBars } from './price-bars.ts'

export const STEP_MS = 900_000

/**
 * A bar, and the open limit orders at its close: number and value. Where there is a book, they are
 * its orders; in the past before it, those of the tracked traders.
 */
export interface QuarterHour extends PriceBar {
  bids: OpenOrderSums
  asks: OpenOrderSums
}

interface OpenOrderSums {
  count: number
  value: Usd
}

/** All steps of the world, oldest first, including future ones. */
export function* quarterHoursOf(
  world: World,
  moment: Moment,
  of: InstrumentRow,
): Slices<QuarterHour[]> {
  const key = `${of.id}/${quartersOf(world, moment)}`
  const known = quarterHourCache(world).find(key)
  return known ?? quarterHourCache(world).put(key, yield* allQuarterHours(world, moment, of))
}

/** Offset of the quarters in shown time, ms. */
const quarterPhase = ({ shiftMs }: Moment) => ((shiftMs % STEP_MS) + STEP_MS) % STEP_MS

/** Key of the quarters' offset and present number: a growing world gets more of them. */
export function quartersOf({ endMs }: World, moment: Moment): string {
  const phase = quarterPhase(moment)
  return `${phase}/${Math.floor((endMs + phase) / STEP_MS)}`
}

const CACHE_LIMIT = 50

const quarterHourCache = perWorld(() => new Cache<string, QuarterHour[]>(CACHE_LIMIT))

function* allQuarterHours(world: World, moment: Moment, of: InstrumentRow): Slices<QuarterHour[]> {
  const whole = { ...moment, atMs: world.endMs }
  const span = { lengthMs: STEP_MS, fromMs: world.meta.historyStartMs, untilMs: world.endMs }
  yield* readPriceBars(world, whole, of, span)
  const changes = yield* openOrderChanges(world, of)
  const sides: Record<'A' | 'B', OpenOrderSums> = { B: { ...NONE }, A: { ...NONE } }
  const steps: QuarterHour[] = []
  let at = 0
  for (const bar of priceBarsOf(world, whole, of, span)) {
    for (; at < changes.length && (changes[at] as OpenOrderChange).timeMs <= bar.endMs; at++) {
      const { side, count, value } = changes[at] as OpenOrderChange
      sides[side].count += count
      sides[side].value = add(sides[side].value, value)
    }
    const book = bar.endMs < world.startMs ? null : bookCacheOf(world).at(of, bar.endMs)
    if (book) yield
    const [bids, asks] = book
      ? [levelSums(book.bids, of), levelSums(book.asks, of)]
      : [{ ...sides.B }, { ...sides.A }]
    steps.push({ ...bar, bids, asks })
  }
  return steps
}

/** Sums of the orders that make the levels. */
function levelSums(levels: readonly PriceLevel[], of: InstrumentRow): OpenOrderSums {
  let [count, value] = [0, ZERO as Usd]
  for (const { px, sz, n } of levels) {
    count += n
    value = add(value, notionalOf(px, sz, of))
  }
  return { count, value }
}

const NONE: OpenOrderSums = { count: 0, value: ZERO }

/** Change of a side of the open orders at an instant. */
interface OpenOrderChange extends OpenOrderSums {
  timeMs: TapeMs
  side: 'A' | 'B'
}

/** By time. Orders that end when they begin are never open; triggers are not counted. */
function* openOrderChanges(world: World, of: InstrumentRow): Slices<OpenOrderChange[]> {
  const changes: OpenOrderChange[] = []
  const open = new Map<number, RemainingOrder>()
  for (const [fromMs, toMs] of readSpans(world)) {
    yield
    for (const order of statements(world).placed.all(of.id, fromMs, toMs)) {
      const { oid, timeMs, side } = order
      const value = notionalOf(order.px, order.sz, of)
      open.set(oid, { ...order, value })
      changes.push({ timeMs, side, count: 1, value })
    }
  }
  for (const [fromMs, toMs] of readSpans(world)) {
    yield
    for (const { oid, timeMs, sz } of statements(world).fills.all(of.id, fromMs, toMs)) {
      const order = open.get(oid)
      if (!order || (order.endMs !== null && timeMs >= order.endMs)) continue
      order.sz = subtract(order.sz, sz)
      const value = notionalOf(order.px, order.sz, of)
      changes.push({ timeMs, side: order.side, count: 0, value: subtract(value, order.value) })
      order.value = value
    }
  }
  for (const { side, value, endMs } of open.values())
    if (endMs !== null) changes.push({ timeMs: endMs, side, count: -1, value: negate(value) })
  return changes.sort((a, b) => a.timeMs - b.timeMs)
}

/** Splits the world's time into pieces of so few rows that one fits a slice. */
function* readSpans({ meta, startMs, endMs }: World): Generator<[fromMs: TapeMs, toMs: TapeMs]> {
  for (let atMs = meta.historyStartMs; atMs <= endMs; ) {
    const toMs = later(atMs, atMs < startMs ? READ_PAST_MS : READ_TAPE_MS)
    yield [atMs, toMs]
    atMs = toMs
  }
}

const READ_PAST_MS = 12 * 3_600_000
const READ_TAPE_MS = 300_000

const PLACED = columns({
  oid: orders.oid,
  timeMs: orders.timeMs,
  endMs: orders.endMs,
  side: orders.side,
  px: orders.limitPx,
  sz: orders.origSz,
})
const FILLS = columns({
  /** The resting order is the maker's. */
  oid: sql<number>`case ${trade.side} when 'B' then ${trade.sellerOid} else ${trade.buyerOid} end`,
  timeMs: trade.timeMs,
  sz: trade.sz,
})

/** Remaining size of an order. */
interface RemainingOrder extends RowOf<typeof PLACED> {
  value: Usd
}

type Span = [instrument: number, fromMs: TapeMs, toMs: TapeMs]

const statements = perWorld(({ db }) => ({
  placed: PLACED.prepare<Span>(
    db,
    `from orders where instrument = ? and timeMs >= ? and timeMs < ? and triggerPx is null
     and (endMs is null or endMs > timeMs) order by timeMs, oid`,
  ),
  fills: FILLS.prepare<Span>(
    db,
    'from trade where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id',
  ),
}))
