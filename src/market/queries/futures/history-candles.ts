import type { TapeMs } from '../../../clock/instant.ts'
import type { HistoryCandle } from '../../../contract/records/futures-history.ts'
import type { Quantity } from '../../../decimal/quantity.ts'
import type { Ohlc } from '../../rows/step-series.ts'

/** Writes a value as text. */
export type ValueText<Q extends Quantity> = (value: Q) => string

/** Candles as records; those without a value yet are left out. */
export function candlesOf<Q extends Quantity>(
  edgesMs: TapeMs[],
  candles: (Ohlc<Q> | null)[],
  written: ValueText<Q>,
): HistoryCandle[] {
  return candles.flatMap((candle, at) =>
    candle === null
      ? []
      : {
          time: edgesMs[at] as number,
          open: written(candle.open),
          high: written(candle.high),
          low: written(candle.low),
          close: written(candle.close),
        },
  )
}
