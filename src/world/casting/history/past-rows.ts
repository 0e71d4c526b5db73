import { raw } from '../../../decimal/quantity.ts'
import { BAR_MS } from '../../../market/minute-bar.ts'
import { packBars } from '../../schema/bar-blocks.ts'
import type { RowSink } from '../writing/row-sink.ts'
import type { MarketPast } from './past.ts'

/** Minutes of a row. */
const DAY_MINUTES = 1440

/** Writes the bars of a span of the past, a row for each day. */
export function writeBars(
  pasts: readonly MarketPast[],
  startMs: number,
  endMs: number,
  rows: RowSink,
): void {
  const count = Math.round((endMs - startMs) / BAR_MS)
  for (const { market, bars } of pasts) {
    const interest = new Float64Array(bars.open.length)
    const block = { ...bars, interest }
    for (let from = 0; from < count; from += DAY_MINUTES) {
      const minutes = packBars(
        block,
        from,
        Math.min(from + DAY_MINUTES, count),
        raw(market.survey.lot),
      )
      const instrument = market.row.id
      rows.add('bars', {
        instrument,
        startMs: startMs + from * BAR_MS,
        minutes: Buffer.from(minutes),
      })
    }
  }
}
