import { type Px, raw, ZERO } from '../../../decimal/quantity.ts'
import type { RowNumbers } from '../row-numbers.ts'
import type { RowSink } from '../writing/row-sink.ts'
import type { MarketState } from './market-state.ts'

/** How often a mark is sampled where the tape has none. */
const SAMPLE_MS = 3_000

/** Mark prices: the tape's own, or samples of the mid price. */
export class MarkPrices {
  private readonly last = new Map<MarketState, { timeMs: number; px: Px }>()

  constructor(
    private readonly rows: RowSink,
    private readonly numbers: RowNumbers,
  ) {}

  /** A mark of the tape or of the history. */
  mark(market: MarketState, timeMs: number, mark: Px, oracle: Px): void {
    market.oracle = oracle
    this.last.set(market, { timeMs, px: mark })
    this.write(market, timeMs, mark, oracle)
  }

  /** Takes the mid price as mark, if the tape has no marks and it has moved. */
  sample(market: MarketState, timeMs: number, midPrice: () => Px | null): void {
    const last = this.last.get(market)
    if (market.hasTapeMarks || (last && timeMs - last.timeMs < SAMPLE_MS)) return
    const px = midPrice() ?? market.px
    if (px === ZERO || px === last?.px) return
    market.oracle = market.onTick(raw(px) / (1 + raw(market.premium) / 1e10))
    this.last.set(market, { timeMs, px })
    this.write(market, timeMs, px, market.oracle)
  }

  private write(market: MarketState, timeMs: number, mark: Px, oracle: Px): void {
    const id = this.numbers.next('mark')
    this.rows.add('mark', { id, instrument: market.row.id, timeMs, mark, oracle })
  }
}
