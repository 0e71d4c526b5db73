import { format } from '../../decimal/scaled.ts'
import type { BookLevel, SynthLevels } from '../../market/synth/synth-event.ts'
import type { CastingContext } from '../casting/casting-context.ts'
import type { WholeLevel } from '../casting/market/book-recorder.ts'
import type { MarketState } from '../casting/market/market-state.ts'
import type { InputLevel } from '../casting/tape-input.ts'

/** Prices that are kept as texts, of an instrument. */
const TEXTS_MAX = 20_000

/** Writes the books of the synthesised markets. */
export class GrownBooks {
  private readonly texts = new Map<MarketState, Map<number, string>>()

  private readonly best = new Map<MarketState, string>()

  /** @param streamed instrument.id of those whose best prices are a stream of their own */
  constructor(
    private readonly context: CastingContext,
    private readonly streamed: ReadonlySet<number>,
  ) {}

  /** A full book, or the changed levels of one. */
  record(market: MarketState, { kind, timeMs, bids, asks }: SynthLevels): void {
    const { books } = this.context
    const texts = this.textsOf(market)
    const whole = (level: BookLevel) => wholeLevel(market, level, texts)
    const levels = { bids: bids.map(whole), asks: asks.map(whole) }
    if (kind === 'book') books.replaceWhole(market, timeMs, levels)
    else books.change(market, timeMs, levels)
    if (this.streamed.has(market.row.id)) this.recordBest(market, timeMs)
  }

  private recordBest(market: MarketState, timeMs: number): void {
    const { books } = this.context
    const { bid, ask } = books.bestLevels(market)
    const text = `[${bid},${ask}]`
    if (this.best.get(market) === text) return
    this.best.set(market, text)
    const [bestBid, bestAsk] = JSON.parse(text) as [InputLevel | null, InputLevel | null]
    books.recordBest(market, timeMs, bestBid, bestAsk)
  }

  private textsOf(market: MarketState): Map<number, string> {
    const known = this.texts.get(market)
    if (known && known.size < TEXTS_MAX) return known
    const texts = new Map<number, string>()
    this.texts.set(market, texts)
    return texts
  }
}

function wholeLevel(
  { row }: MarketState,
  { px, lots, orders }: BookLevel,
  texts: Map<number, string>,
): WholeLevel {
  let price = texts.get(px)
  if (price === undefined) {
    price = `["${format(px, row.pxDecimals)}","`
    texts.set(px, price)
  }
  const text = `${price}${lots === 0 ? '0' : format(lots, row.szDecimals)}",${orders}]`
  return { px, text, isGone: lots === 0 }
}
