import type { PnlCurve } from '../../../client/contract/records.ts'

/** A PnL curve in either form of the service, times in s. */
export const pnlPoints = (curve: PnlCurve): { time: number; value: number }[] =>
  curve.map((point) =>
    'time' in point
      ? { time: point.time / 1000, value: Number(point.pnl) }
      : { time: point.ts / 1000, value: Number(point.v) },
  )
