/** Queries about one position over its life. */
import type {
  PositionExecutions,
  PositionHistory,
  PositionPnls,
} from '../../records/position-history.ts'

/** Which position: the one that is open, or one by the exact instants of its life. */
export type PositionSelector =
  | { address: string; coin: string; at: 'open' }
  | {
      address: string
      coin: string
      at: { startMs?: number | undefined; endMs?: number | undefined }
    }

export interface PositionIntervals {
  interval: string
  /** The newest so many intervals, oldest first. */
  limit: number
}

/** null when there is no such position. */
export interface PositionsFacts {
  history(which: PositionSelector): PositionHistory | null
  pnls(which: PositionSelector, buckets: PositionIntervals): PositionPnls | null
  executions(which: PositionSelector, buckets: PositionIntervals): PositionExecutions | null
}
