import { add, type Px, px, raw, sz } from '../../decimal/quantity.ts'
import { parse } from '../../decimal/scaled.ts'
import type { TapeBook, TapeLevel } from './input.ts'
import type { Market } from './market.ts'
import type { Rows } from './rows.ts'

/** A whole book is written at least after so many rows and so much time. */
const KEYFRAME_ROWS = 64
const KEYFRAME_MS = 60_000

/** Keeps each instrument's book, so that whole books can be written in between the changes. */
export class BookRoom {
  private ids = 0
  private bbos = 0
  private readonly shelves = new Map<Market, Shelf>()

  constructor(private readonly rows: Rows) {}

  whole(market: Market, timeMs: number, data: TapeBook): void {
    const shelf = this.shelf(market)
    shelf.bids.clear()
    shelf.asks.clear()
    shelf.apply(data)
    this.keyframe(market, shelf, timeMs)
  }

  change(market: Market, timeMs: number, data: TapeBook): void {
    const shelf = this.shelf(market)
    shelf.apply(data)
    const due = shelf.since >= KEYFRAME_ROWS || timeMs - shelf.keyframeMs >= KEYFRAME_MS
    if (due) return this.keyframe(market, shelf, timeMs)
    shelf.since++
    this.write(market, timeMs, false, JSON.stringify([data.bids, data.asks]))
  }

  /** A best bid and offer of a stream of its own. */
  best(market: Market, timeMs: number, bid: TapeLevel | null, ask: TapeLevel | null): void {
    const { id: instrument, pxDecimals, szDecimals } = market.row
    // Such a stream has more rows than anything else: one plain literal each.
    const bidPx = bid ? px(parse(bid[0], pxDecimals)) : null
    const askPx = ask ? px(parse(ask[0], pxDecimals)) : null
    this.rows.add('bbo', {
      id: ++this.bbos,
      instrument,
      timeMs,
      bidPx,
      bidSz: bid ? sz(parse(bid[1], szDecimals)) : null,
      bidN: bid ? bid[2] : null,
      askPx,
      askSz: ask ? sz(parse(ask[1], szDecimals)) : null,
      askN: ask ? ask[2] : null,
    })
    const shelf = this.shelf(market)
    shelf.middle = bidPx && askPx ? px(Math.round(raw(add(bidPx, askPx)) / 2)) : null
    shelf.streamed = true
  }

  /** Middle of the market; null when a side is empty. */
  middle(market: Market): Px | null {
    const shelf = this.shelves.get(market)
    if (!shelf) return null
    if (shelf.streamed) return shelf.middle
    const [bid, ask] = [extreme(shelf.bids, Math.max), extreme(shelf.asks, Math.min)]
    if (bid === null || ask === null) return null
    return px(Math.round(((bid + ask) / 2) * 10 ** market.row.pxDecimals))
  }

  private keyframe(market: Market, shelf: Shelf, timeMs: number): void {
    shelf.since = 0
    shelf.keyframeMs = timeMs
    const levels = [sorted(shelf.bids).reverse(), sorted(shelf.asks)]
    this.write(market, timeMs, true, JSON.stringify(levels))
  }

  private write(market: Market, timeMs: number, keyframe: boolean, levels: string): void {
    const row = { id: ++this.ids, instrument: market.row.id, timeMs, keyframe, levels }
    this.rows.add('book', row)
  }

  private shelf(market: Market): Shelf {
    const known = this.shelves.get(market)
    if (known) return known
    const shelf = new Shelf()
    this.shelves.set(market, shelf)
    return shelf
  }
}

class Shelf {
  /** By price: as numbers they sort fast, and one price has one number however it is written. */
  readonly bids = new Map<number, TapeLevel>()
  readonly asks = new Map<number, TapeLevel>()
  /** Rows and time of the last keyframe; the first row is always one. */
  since = KEYFRAME_ROWS
  keyframeMs = 0
  streamed = false
  middle: Px | null = null

  apply({ bids, asks }: TapeBook): void {
    for (const level of bids) set(this.bids, level)
    for (const level of asks) set(this.asks, level)
  }
}

function set(side: Map<number, TapeLevel>, level: TapeLevel): void {
  const price = Number(level[0])
  if (level[1] === '0' || Number(level[1]) === 0) side.delete(price)
  else side.set(price, level)
}

function sorted(side: Map<number, TapeLevel>): TapeLevel[] {
  const prices = Float64Array.from(side.keys()).sort()
  return Array.from(prices, (price) => side.get(price) as TapeLevel)
}

function extreme(side: Map<number, TapeLevel>, pick: (a: number, b: number) => number) {
  let best: number | null = null
  for (const price of side.keys()) best = best === null ? price : pick(best, price)
  return best
}
