/** What tracked traders trade before the tape, taken out of candles that say what all traded. */
import { raw } from '../../../decimal/quantity.ts'
import { BAR_MS } from '../../../market/minute-bar.ts'
import type { BarColumns } from '../../../market/past-bars.ts'
import type { HistoryInput } from '../history-input.ts'
import type { RowSink, TableRow } from '../writing/row-sink.ts'
import type { MarketPast } from './past.ts'

type Trade = TableRow<'trade'>

/** The rows, and a call for each trade among them. */
export function watchTrades(rows: RowSink, onTrade: (trade: Trade) => void): RowSink {
  return {
    get counts() {
      return rows.counts
    },
    add(name, row) {
      if (name === 'trade') onTrade(row as unknown as Trade)
      rows.add(name, row)
    },
    createIndexes: () => rows.createIndexes(),
    drain: () => rows.drain(),
    finish: () => rows.finish(),
  }
}

/**
 * Leaves to the crowd what tracked traders have not traded: of their minute first, then of the
 * other minutes of its candle. A minute keeps one lot, so that it keeps its prices.
 */
export class TrackedVolume {
  private readonly pasts: ReadonlyMap<number, Known>

  constructor(
    pasts: readonly MarketPast[],
    histories: readonly HistoryInput[],
    private readonly startMs: number,
  ) {
    this.pasts = new Map(
      pasts.flatMap((past): [number, Known][] => {
        const history = histories.find(({ coin }) => coin === past.market.row.coin)
        return history ? [[past.market.row.id, { past, history }]] : []
      }),
    )
  }

  take({ instrument, timeMs, sz, side }: Trade): void {
    const known = this.pasts.get(instrument)
    if (known === undefined) return
    const { bars, market } = known.past
    const lot = raw(market.survey.lot)
    let left = raw(sz)
    for (const minute of this.minutesOf(known, timeMs)) {
      if (left === 0) return
      if (minute in bars.trades) left -= takeOut(bars, minute, { size: left, side }, lot)
    }
  }

  /** The minute of an instant, then all of its candle. */
  private *minutesOf({ history }: Known, timeMs: number): Generator<number> {
    const { candles, lengthMs } = history
    const own = Math.floor((timeMs - this.startMs) / BAR_MS)
    yield own
    const firstMs = candles[0]?.timeMs ?? 0
    const candleMs = timeMs - ((((timeMs - firstMs) % lengthMs) + lengthMs) % lengthMs)
    const first = Math.round((candleMs - this.startMs) / BAR_MS)
    for (let minute = first; minute < first + lengthMs / BAR_MS; minute++) yield minute
  }
}

interface Known {
  past: MarketPast
  history: HistoryInput
}

/** @returns what could be taken out */
function takeOut(
  bars: BarColumns,
  at: number,
  { size, side }: { size: number; side: Trade['side'] },
  lot: number,
): number {
  const [bought, sold] = [bars.bought[at] as number, bars.sold[at] as number]
  const taken = Math.max(0, Math.min(size, bought + sold - lot))
  const ofBought = side === 'B' ? Math.min(taken, bought) : taken - Math.min(taken, sold)
  bars.bought[at] = bought - ofBought
  bars.sold[at] = sold - (taken - ofBought)
  const lots = (bought + sold - taken) / lot
  bars.trades[at] = Math.min(lots, bars.trades[at] as number)
  return taken
}
