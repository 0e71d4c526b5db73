/** Questions about one position over its life. */
import type { PositionExecutions, PositionHistory, PositionPnls } from '../records/position-life.ts'

/** Which position: the one that is open, or one by the exact instants of its life. */
export type Which =
  | { address: string; coin: string; at: 'open' }
  | {
      address: string
      coin: string
      at: { startMs?: number | undefined; endMs?: number | undefined }
    }

export interface Buckets {
  interval: string
  /** The newest so many intervals, oldest first. */
  limit: number
}

/** null when there is no such position. */
export interface PositionsFacts {
  history(which: Which): PositionHistory | null
  pnls(which: Which, buckets: Buckets): PositionPnls | null
  executions(which: Which, buckets: Buckets): PositionExecutions | null
}
