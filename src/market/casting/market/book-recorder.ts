import {
  add,
  greater,
  lesser,
  type Px,
  parse,
  pow10,
  px,
  raw,
  type Sz,
  subtract,
  sz,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RowNumbers } from '../row-numbers.ts'
import type { InputBook, InputLevel } from '../tape-input.ts'
import type { RowSink } from '../writing/row-sink.ts'
import type { MarketState } from './market-state.ts'

/**
 * Rows between keyframes; for a deep book, one for so many of its levels: a keyframe takes as much
 * space as all the changes since the last. One is also written after a time.
 */
const KEYFRAME_ROWS = 64
const KEYFRAME_MS = 60_000
const LEVELS_PER_ROW = 4
/** Characters of a level's text besides its numbers. */
const BESIDE_LETTERS = '["","",]'.length

/** Records each instrument's book: changes, and full books (keyframes) in between. */
export class BookRecorder {
  private readonly books = new Map<MarketState, RecordedBook>()

  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
  ) {}

  /** Takes a full book. */
  replace(market: MarketState, timeMs: number, data: InputBook): void {
    const book = this.bookOf(market)
    book.clear()
    book.apply(data)
    this.keyframe(market, book, timeMs)
  }

  /** Takes changed levels. */
  applyDelta(market: MarketState, timeMs: number, data: InputBook): void {
    const book = this.bookOf(market)
    const levels = book.apply(data)
    if (book.isKeyframeDue(timeMs)) return this.keyframe(market, book, timeMs)
    book.rowsSinceKeyframe++
    this.write(market, timeMs, false, levels)
  }

  /** Takes a best bid and offer of a separate stream. */
  recordBest(
    market: MarketState,
    timeMs: number,
    bid: InputLevel | null,
    ask: InputLevel | null,
  ): void {
    const { id: instrument, pxDecimals, szDecimals } = market.row
    // Such a stream has more rows than anything else: one plain literal each.
    const bidPx = bid ? px(parse(bid[0], pxDecimals)) : null
    const askPx = ask ? px(parse(ask[0], pxDecimals)) : null
    this.rows.add('bbo', {
      id: this.numbers.next('bbo'),
      instrument,
      timeMs,
      bidPx,
      bidSz: bid ? sz(parse(bid[1], szDecimals)) : null,
      bidN: bid ? bid[2] : null,
      askPx,
      askSz: ask ? sz(parse(ask[1], szDecimals)) : null,
      askN: ask ? ask[2] : null,
    })
    this.bookOf(market).streamed = { bid: bidPx, ask: askPx }
  }

  /** The best prices, from their own stream where there is one; null for an empty side. */
  best(market: MarketState): BestPrices {
    return this.books.get(market)?.best() ?? { bid: null, ask: null }
  }

  /** The present book of levels. */
  present(market: MarketState): PresentBook {
    return this.bookOf(market)
  }

  /** Mid price; null when a side is empty. */
  midPrice(market: MarketState): Px | null {
    const { bid, ask } = this.best(market)
    return bid && ask ? px(Math.round(raw(add(bid, ask)) / 2)) : null
  }

  private keyframe(market: MarketState, book: RecordedBook, timeMs: number): void {
    book.rowsSinceKeyframe = 0
    book.keyframeMs = timeMs
    const [bids, asks] = [sortedLevels(book.bids).reverse(), sortedLevels(book.asks)]
    this.write(market, timeMs, true, `[[${bids.join()}],[${asks.join()}]]`)
  }

  private write(market: MarketState, timeMs: number, keyframe: boolean, levels: string): void {
    const id = this.numbers.next('book')
    const row = { id, instrument: market.row.id, timeMs, keyframe, levels }
    this.rows.add('book', row)
  }

  private bookOf(market: MarketState): RecordedBook {
    const known = this.books.get(market)
    if (known) return known
    const book = new RecordedBook(pow10(market.row.pxDecimals), pow10(market.row.szDecimals))
    this.books.set(market, book)
    return book
  }
}

class RecordedBook implements PresentBook {
  /** Level texts by price: one price is one number however it is written. */
  readonly bids = new Map<number, string>()
  readonly asks = new Map<number, string>()
  /** Rows and time of the last keyframe; the first row is always one. */
  rowsSinceKeyframe = Number.POSITIVE_INFINITY
  keyframeMs = 0
  /** Latest entry of a stream of best prices, if there is one. */
  streamed: BestPrices | null = null
  /** Cached best prices; null where they must be searched. */
  private bestBid: number | null = null
  private bestAsk: number | null = null

  /** @param units price units of one; @param sizeUnits size units of one */
  constructor(
    private readonly units: number,
    private readonly sizeUnits: number,
  ) {}

  isKeyframeDue(timeMs: number): boolean {
    const levels = this.bids.size + this.asks.size
    const rows = Math.max(KEYFRAME_ROWS, levels / LEVELS_PER_ROW)
    return this.rowsSinceKeyframe >= rows || timeMs - this.keyframeMs >= KEYFRAME_MS
  }

  best(): BestPrices {
    if (this.streamed) return this.streamed
    this.bestBid ??= bestPrice(this.bids, Math.max)
    this.bestAsk ??= bestPrice(this.asks, Math.min)
    const [bid, ask] = [this.bestBid, this.bestAsk]
    return { bid: bid === null ? null : px(bid), ask: ask === null ? null : px(ask) }
  }

  at(side: 'B' | 'A', price: number): ReturnType<PresentBook['at']> {
    const text = (side === 'B' ? this.bids : this.asks).get(price)
    if (text === undefined) return null
    const [, size, n] = JSON.parse(text) as [string, string, number]
    return { px: px(price), sz: sz(Math.round(Number(size) * this.sizeUnits)), n }
  }

  prices(side: 'B' | 'A'): Iterable<number> {
    return (side === 'B' ? this.bids : this.asks).keys()
  }

  /** Applies levels; returns their text. */
  apply({ bids, asks }: InputBook): string {
    const [bidTexts, askTexts] = [this.applySide(this.bids, bids), this.applySide(this.asks, asks)]
    return `[${bidTexts},${askTexts}]`
  }

  clear(): void {
    this.bids.clear()
    this.asks.clear()
    this.bestBid = null
    this.bestAsk = null
  }

  private noteBest(side: ReadonlyMap<number, string>, price: number, isThere: boolean): void {
    const isBid = side === this.bids
    const best = isBid ? this.bestBid : this.bestAsk
    if (best === null) return
    const isBetter = isThere && (isBid ? price > best : price < best)
    if (!isBetter && (isThere || price !== best)) return
    if (isBid) this.bestBid = isBetter ? price : null
    else this.bestAsk = isBetter ? price : null
  }

  /** Slices each level out of the text of all: to format each one takes twice as long. */
  private applySide(side: Map<number, string>, levels: readonly InputLevel[]): string {
    const texts = JSON.stringify(levels)
    let at = 1
    for (const [px, sz, n] of levels) {
      const end = at + px.length + sz.length + (n < 10 ? 1 : String(n).length) + BESIDE_LETTERS
      const price = Math.round(Number(px) * this.units)
      if (Number(sz) === 0) side.delete(price)
      else side.set(price, texts.slice(at, end))
      this.noteBest(side, price, Number(sz) > 0)
      at = end + 1
    }
    return texts
  }
}

/** Price units. */
interface BestPrices {
  bid: Px | null
  ask: Px | null
}

function sortedLevels(side: ReadonlyMap<number, string>): string[] {
  const prices = new Float64Array(side.size)
  let count = 0
  for (const price of side.keys()) prices[count++] = price
  const levels: string[] = []
  for (const price of prices.sort()) levels.push(side.get(price) as string)
  return levels
}

function bestPrice(side: ReadonlyMap<number, string>, pick: (a: number, b: number) => number) {
  let best: number | null = null
  for (const price of side.keys()) best = best === null ? price : pick(best, price)
  return best
}

// Room for orders in the present book.

/** A level of the present book. */
interface RoomLevel {
  px: Px
  sz: Sz
  /** Number of its orders. */
  n: number
}

/** The present book of an instrument, by price. */
export interface PresentBook {
  at(side: 'B' | 'A', px: number): RoomLevel | null
  /** All prices of a side, in any order. */
  prices(side: 'B' | 'A'): Iterable<number>
}

/** An order that is a part of a level. */
interface Seated {
  readonly side: 'B' | 'A'
  readonly limitPx: Px
  readonly origSz: Sz
  readonly filledSz: Sz
  readonly endMs: number | null
}

/** Farthest level that takes the place of a price, as a fraction of it. */
const NEAR = 0.003
/** A side that reaches so far is whole: nothing rests where it has no level. */
const WHOLE_REACH = 0.03
/** Part of a level's room that one order takes at most. */
const FREE_PART = 0.5

/** Place of a new order: a price and a size. */
interface Place {
  limitPx: Px
  origSz: Sz
}

/**
 * The room for traders' orders in a book: an order that rests is a part of its level, whose other
 * orders are the crowd's.
 */
export class BookRoom<O extends Seated> {
  private book: PresentBook | null = null
  private readonly seated = { B: new Map<number, O[]>(), A: new Map<number, O[]>() }

  /** Takes the book, which changes in place from then on; true for the first time. */
  open(book: PresentBook): boolean {
    const isFirst = this.book === null
    this.book = book
    return isFirst
  }

  /**
   * The place of a new order near a wanted one: a part of the level with most room. The wanted
   * place itself where no book is known that far; null where no level has room.
   *
   * @param lot unit of sizes
   */
  placeOf(side: 'B' | 'A', wanted: Place, lot: Sz): Place | null {
    let [best, most] = [wanted.limitPx, 0]
    for (const price of this.near(side, wanted.limitPx)) {
      const free = raw(this.free(side, price))
      if (free > most) [best, most] = [px(price), free]
    }
    if (most === 0) return this.knows({ side, limitPx: wanted.limitPx }) ? null : wanted
    const units = Math.floor((FREE_PART * most) / raw(lot)) * raw(lot)
    if (units === 0) return null
    return { limitPx: best, origSz: lesser(wanted.origSz, sz(units)) }
  }

  /** Whether the book shows what rests at an order's price. */
  knows({ side, limitPx }: Pick<O, 'side' | 'limitPx'>): boolean {
    return this.near(side, limitPx).length > 0 || this.isWhole(side)
  }

  /** Whether a side is the whole one, and not the best levels alone. */
  private isWhole(side: 'B' | 'A'): boolean {
    if (this.book === null) return false
    let [least, most] = [Number.POSITIVE_INFINITY, 0]
    for (const price of this.book.prices(side)) {
      least = Math.min(least, price)
      most = Math.max(most, price)
    }
    return most > least * (1 + WHOLE_REACH)
  }

  /** Prices of the levels near a price. */
  private near(side: 'B' | 'A', px: Px): number[] {
    const found: number[] = []
    for (const price of this.book?.prices(side) ?? [])
      if (Math.abs(price - raw(px)) < NEAR * raw(px)) found.push(price)
    return found
  }

  /** Size for one more order at a price; zero for none. Each order of the crowd keeps a unit. */
  private free(side: 'B' | 'A', price: number): Sz {
    const level = this.book?.at(side, price)
    if (!level) return ZERO
    const own = this.ordersAt(side, price)
    const others = level.n - own.length - 1
    if (others < 1) return ZERO
    const taken = own.reduce((sum, order) => add(sum, restOf(order)), ZERO as Sz)
    const left = subtract(subtract(level.sz, taken), sz(others))
    return greater(left, ZERO)
  }

  /** Makes an order a part of its level, where it fits. */
  seat(order: O): boolean {
    const { side, limitPx } = order
    if (restOf(order) > this.free(side, raw(limitPx))) return false
    const { [side]: orders } = this.seated
    orders.set(raw(limitPx), [...this.ordersAt(side, raw(limitPx)), order])
    return true
  }

  /** Orders that a changed level has no room for any more; they lose their seats. */
  unseated(side: 'B' | 'A', px: number): O[] {
    const orders = this.seated[side]
    if (!orders.has(px)) return []
    const own = this.ordersAt(side, px)
    orders.delete(px)
    return own.filter((order) => !this.seat(order))
  }

  /** Prices at which orders have seats. */
  *seats(side: 'B' | 'A'): Iterable<number> {
    yield* [...this.seated[side].keys()]
  }

  private ordersAt(side: 'B' | 'A', px: number): O[] {
    return (this.seated[side].get(px) ?? []).filter(({ endMs }) => endMs === null)
  }
}

const restOf = ({ origSz, filledSz }: Seated): Sz => subtract(origSz, filledSz)
