/**
 * The crowd's open orders: what a book shows beyond the orders of tracked traders.
 *
 * None is stored. The orders of a level follow from its price, size and number of orders, from the
 * instant, and from when the price last traded beyond it: so they add up to the level on any book,
 * recorded or grown. Each place in a level's queue holds one order after another, each for its own
 * time; an order's number contains its instant and its owner.
 *
 * A number follows from the place in the queue and from when the order was placed, and from no
 * other order: so it names one order for ever, whatever becomes of the book around it.
 */
import { MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, pow10, raw, type Sz, sz, ZERO } from '../../decimal/quantity.ts'
import { randomSource } from '../../random/random-source.ts'
import { columns } from '../rows/columns.ts'
import type { StoredOrder } from '../rows/order-rows.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { CROWD, type InstrumentRow, trade } from '../schema/schema.ts'
import { hashAt, normalAt, unitAt } from '../synth/distributions.ts'
import { perMarket } from '../world/cache.ts'
import { ORDERS_PER_MS, oidAt, placeOf } from '../world/crowd-address.ts'
import { listedMs } from '../world/market-standing.ts'
import type { World } from '../world/world.ts'
import type { PriceLevel } from './book.ts'
import { bookCacheOf } from './book-cache.ts'

/** An open order of the crowd; `crowdAddress(oid)` is its owner. */
export interface CrowdOrder {
  readonly oid: number
  readonly timeMs: TapeMs
  readonly instrument: number
  readonly side: 'A' | 'B'
  readonly limitPx: Px
  readonly sz: Sz
}

/** An open order of a tracked trader. */
export interface TrackedOrder {
  readonly oid: number
  readonly side: 'A' | 'B'
  readonly limitPx: Px
  /** Size left. */
  readonly sz: Sz
}

/** The orders that make a book. */
export interface BookOrders<T extends TrackedOrder> {
  /** Tracked orders that are a part of their level. */
  tracked: T[]
  /** All others, bids first, from the touch outward. */
  crowd: CrowdOrder[]
}

/**
 * The orders of an instrument's newest book at an instant: those of a level have its size and
 * number. A tracked order that its level has no room for is in neither list.
 */
export function bookOrdersAt<T extends TrackedOrder>(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
  tracked: readonly T[],
): BookOrders<T> {
  const book = bookCacheOf(world).at(of, atMs)
  if (!book) return { tracked: [], crowd: [] }
  const found: BookOrders<T> = { tracked: [], crowd: [] }
  const queues = new Queues(world, of, atMs)
  for (const side of SIDES) {
    const known = Map.groupBy(
      tracked.filter((order) => order.side === side),
      ({ limitPx }) => limitPx,
    )
    for (const level of side === 'B' ? book.bids : book.asks) {
      const own = fitting(level, known.get(level.px) ?? [])
      found.tracked.push(...own)
      queues.add(found.crowd, side, level, own)
    }
  }
  return found
}

const SIDES = ['B', 'A'] as const

/** The first orders that a level has room for: those of the crowd need a size unit each. */
function fitting<T extends TrackedOrder>(level: PriceLevel, orders: readonly T[]): T[] {
  const fit: T[] = []
  let left = raw(level.sz)
  for (const order of orders) {
    const rest = left - raw(order.sz)
    const others = level.n - fit.length - 1
    if (rest < others || (others <= 0 && rest !== 0)) continue
    fit.push(order)
    left = rest
  }
  return fit
}

/** Lifetimes of orders: the shortest, and the number of doublings up to the longest. */
const LIFE = { leastMs: 4 * MINUTE_MS, doublings: 6 }
/** Longest time for which an order of the crowd is open. */
export const CROWD_LIFE_MS = LIFE.leastMs * 2 ** LIFE.doublings
/** Order sizes in dollars: the venue's minimum, the median, and the deviation of the logarithm. */
const SIZE = { leastUsd: 10.5, medianUsd: 520, sigma: 2.3 }
/** Numbers of an instant for the orders of one instrument, and the number of such groups. */
const NUMBERS = 8
const GROUPS = 12

/** So many places of a queue, on so many ticks, have turns of their own. */
const PLACES = 32
/**
 * In quiet times each place of a queue has one number in each of the shortest lives, its turn, so
 * that two places share none: `slots` of a millisecond's numbers are for them.
 */
const QUIET = { ticks: 11_250, slots: 3, spread: 649_681 }
/**
 * Where the price has just been, all orders came back at once: each has its turn in the seconds
 * before, of the other numbers. Those that share one are farther apart than a price goes meanwhile;
 * what comes back to the same place once more within that time keeps its number.
 */
const RETURN = { ticks: 156, slots: 5, spread: 4_951, cycleMs: 2_000 }
/**
 * So many cycles earlier, at most, is a number whose turn other orders have: those of a coin come
 * at one instant when it is listed, and many share a turn in a deep book.
 */
const CYCLES_BACK = 31

/** The queues of one instrument's levels at an instant. */
class Queues {
  private readonly salt: number
  private readonly passages: Record<'A' | 'B', Passage[]>
  private readonly used = new Set<number>()
  private readonly lotUsd: number
  /** Before it there are no orders; of a coin of the tape, unlimited. */
  private readonly listedMs: number

  constructor(
    private readonly world: World,
    private readonly of: InstrumentRow,
    private readonly atMs: TapeMs,
  ) {
    this.salt = saltsOf(world)(of.id)
    this.passages = passagesAt(world, of, atMs)
    this.listedMs = listedMs(world, of.coin) ?? Number.NEGATIVE_INFINITY
    this.lotUsd = 1 / pow10(of.pxDecimals) / pow10(of.szDecimals)
  }

  /** Adds the crowd's orders of a level, first in the queue first. */
  add(
    to: CrowdOrder[],
    side: 'A' | 'B',
    { px, sz: size, n }: PriceLevel,
    own: readonly TrackedOrder[],
  ): void {
    let left = own.reduce((rest, order) => rest - raw(order.sz), raw(size))
    const count = Math.min(left, Math.max(left > 0 ? 1 : 0, n - own.length))
    const freeMs = this.freeFromMs(side, px)
    const lotUsd = raw(px) * this.lotUsd
    const least = Math.max(1, Math.min(Math.ceil(SIZE.leastUsd / lotUsd), Math.floor(left / count)))
    for (let place = 0; place < count; place++) {
      const hash = this.hashOf(px, place)
      const others = (count - place - 1) * least
      const lots =
        others === 0 ? left : Math.min(left - others, Math.max(least, drawnLots(hash, lotUsd)))
      left -= lots
      const { timeMs, number } = this.placed(side, px, place, freeMs)
      const oid = this.oidOf(this.unused(number))
      to.push({ oid, timeMs, instrument: this.of.id, side, limitPx: px, sz: sz(lots) })
    }
  }

  /** Whether one of the orders of a level may have an order number. */
  mayHave(side: 'A' | 'B', { px, n }: PriceLevel, oid: number): boolean {
    const sought = this.numberOf(oid)
    const freeMs = this.freeFromMs(side, px)
    for (let place = 0; place < n; place++) {
      const back = this.placed(side, px, place, freeMs).number - sought
      if (back >= 0 && back <= CYCLES_BACK * CYCLE && back % CYCLE === 0) return true
    }
    return false
  }

  /** From then on a level has had its present orders: after a trade beyond it, and the listing. */
  private freeFromMs(side: 'A' | 'B', px: Px): number {
    return Math.max(this.listedMs, passedMs(this.passages[side], side, px))
  }

  private hashOf(px: Px, place: number): number {
    return hashAt(this.salt ^ hashAt(place, raw(px)), place)
  }

  /** The turn of a place among those of so many ticks; neighbours are spread over all of them. */
  private turnOf(side: 'A' | 'B', px: Px, place: number, { ticks, spread }: typeof QUIET): number {
    const tick = Math.round(raw(px) / raw(this.of.tick)) % ticks
    const key = (tick * PLACES + (place % PLACES)) * 2 + (side === 'A' ? 1 : 0)
    return (key * spread + this.salt) % (ticks * PLACES * 2)
  }

  /** When the present order at a place was placed, and its number of all time. */
  private placed(side: 'A' | 'B', px: Px, place: number, freeMs: number) {
    const hash = this.hashOf(px, place)
    const lives = 2 ** (hashAt(hash, 1) % (LIFE.doublings + 1))
    const lifeMs = LIFE.leastMs * lives
    const turn = this.turnOf(side, px, place, QUIET)
    const phaseMs = Math.floor(turn / QUIET.slots) + LIFE.leastMs * (hashAt(hash, 2) % lives)
    const placedMs = Math.floor((this.atMs - phaseMs) / lifeMs) * lifeMs + phaseMs
    if (placedMs > freeMs)
      return { timeMs: tapeMs(placedMs), number: placedMs * NUMBERS + (turn % QUIET.slots) }
    const again = this.turnOf(side, px, place, RETURN)
    const waitMs = mod(freeMs - Math.floor(again / RETURN.slots), RETURN.cycleMs)
    const slot = QUIET.slots + (again % RETURN.slots)
    return { timeMs: tapeMs(freeMs), number: (freeMs - waitMs) * NUMBERS + slot }
  }

  /** The number itself, unless an order that is far away has it. */
  private unused(number: number): number {
    let free = number
    while (this.used.has(free)) free -= CYCLE
    this.used.add(free)
    return free
  }

  private oidOf(number: number): number {
    const ms = Math.floor(number / NUMBERS) - this.world.meta.historyStartMs
    const group = this.of.id % GROUPS
    return oidAt({ ms, place: ORDERS_PER_MS - 1 - group * NUMBERS - mod(number, NUMBERS) })
  }

  private numberOf(oid: number): number {
    const { ms, place } = placeOf(oid)
    const atMs = ms + this.world.meta.historyStartMs
    return atMs * NUMBERS + mod(ORDERS_PER_MS - 1 - place, NUMBERS)
  }
}

/** Between two turns of a place, in numbers. */
const CYCLE = RETURN.cycleMs * NUMBERS

/** Remainder, never negative. */
const mod = (value: number, by: number): number => ((value % by) + by) % by

function drawnLots(hash: number, lotUsd: number): number {
  const usd = SIZE.medianUsd * Math.exp(SIZE.sigma * normalAt(hash, 3))
  const lots = Math.ceil(usd / lotUsd)
  // Most sizes have two figures.
  const step = 10 ** Math.max(0, Math.floor(Math.log10(lots)) - 1)
  return unitAt(hash, 4) < 0.3 ? lots : Math.ceil(lots / step) * step
}

const saltsOf = perMarket(({ meta: { seed }, instruments }) => {
  const known = new Map<number, number>()
  return (id: number): number => {
    const salt =
      known.get(id) ??
      randomSource(seed, `orders of ${instruments[id]?.coin}`).between(0, 2 ** 32 - 1)
    known.set(id, salt)
    return salt
  }
})

// When a price was last traded beyond: an order there is younger.

/** The last trade at a price or beyond it, seen from a side of the book. */
interface Passage {
  px: number
  timeMs: number
}

/** Passages of both sides within the longest life, the newest first, each beyond the one before. */
function passagesAt(world: World, of: InstrumentRow, atMs: TapeMs): Record<'A' | 'B', Passage[]> {
  const found: Record<'A' | 'B', Passage[]> = { A: [], B: [] }
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const { px, timeMs } of extremePrices(world, of, atMs)) {
    if (px < low) found.B.push({ px, timeMs })
    if (px > high) found.A.push({ px, timeMs })
    low = Math.min(low, px)
    high = Math.max(high, px)
  }
  return found
}

/** Trades, the newest first, of the minutes in which the price was lower or higher than after. */
function* extremePrices(world: World, of: InstrumentRow, atMs: TapeMs): Generator<Passage> {
  const hours = tradeHoursOf(world)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let toMs = atMs + 1; toMs > atMs - CROWD_LIFE_MS; ) {
    const fromMs = Math.floor((toMs - 1) / MINUTE_MS) * MINUTE_MS
    const tally = hours.tally(of.id, tapeMs(fromMs), tapeMs(toMs))
    const [least, most] = [raw(tally.low), raw(tally.high)]
    if (tally.n > 0 && (least < low || most > high)) {
      // Before the tape a minute has no single trades of the crowd.
      if (fromMs < world.meta.barsEndMs)
        for (const px of [least, most]) yield { px, timeMs: toMs - 1 }
      else
        for (const { px, timeMs } of tradesOf(world).all(of.id, tapeMs(fromMs), tapeMs(toMs)))
          yield { px: raw(px), timeMs }
      low = Math.min(low, least)
      high = Math.max(high, most)
    }
    toMs = fromMs
  }
}

/** Instant of the last trade strictly beyond a level's price; -Infinity for none. */
function passedMs(passages: readonly Passage[], side: 'A' | 'B', px: Px): number {
  let [low, high] = [0, passages.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = (passages[middle] as Passage).px
    if (side === 'B' ? at < raw(px) : at > raw(px)) high = middle
    else low = middle + 1
  }
  return passages[low]?.timeMs ?? Number.NEGATIVE_INFINITY
}

const tradesOf = perMarket(({ db }) =>
  columns({ timeMs: trade.timeMs, px: trade.px }).prepare<
    [instrument: number, fromMs: TapeMs, toMs: TapeMs]
  >(
    db,
    'from trade where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs desc, id desc',
  ),
)

/** Whether an order with a number may be among those of a book: quickly, without its size. */
export function mayRestAt(world: World, of: InstrumentRow, atMs: TapeMs, oid: number): boolean {
  const book = bookCacheOf(world).at(of, atMs)
  if (!book) return false
  const queues = new Queues(world, of, atMs)
  return SIDES.some((side) =>
    (side === 'B' ? book.bids : book.asks).some((level) => queues.mayHave(side, level, oid)),
  )
}

/** Whether an instrument's orders may have a number. */
export const mayHaveNumber = ({ id }: InstrumentRow, oid: number): boolean => {
  const place = ORDERS_PER_MS - 1 - placeOf(oid).place
  return place >= 0 && Math.floor(place / NUMBERS) === id % GROUPS
}

/** A crowd order as a row: it has not been filled, and does not end by then. */
export function crowdOrderRow({ oid, timeMs, ...order }: CrowdOrder): StoredOrder {
  const hash = hashAt(oid % 2 ** 32, timeMs)
  return {
    oid,
    trader: CROWD,
    instrument: order.instrument,
    timeMs,
    side: order.side,
    limitPx: order.limitPx,
    origSz: order.sz,
    filledSz: ZERO,
    orderType: 'Limit',
    tif: hash % 3 === 0 ? 'Alo' : 'Gtc',
    reduceOnly: false,
    triggerPx: null,
    triggerCondition: 'N/A',
    positionTpsl: false,
    cloid: null,
    builder: null,
    endMs: null,
    endStatus: null,
    hash: null,
  }
}
