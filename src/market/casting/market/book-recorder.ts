import { add, type Px, parse, pow10, px, raw, sz } from '../../../decimal/quantity.ts'
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
    const book = new RecordedBook(pow10(market.row.pxDecimals))
    this.books.set(market, book)
    return book
  }
}

class RecordedBook {
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

  /** @param units price units of one */
  constructor(private readonly units: number) {}

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
