import type { SystemClock } from '../../clock/system-clock.ts'
import { Histogram } from './histogram.ts'

/** Requests for one operation. */
export interface OperationCounts {
  /** How many were answered with each HTTP status. */
  readonly byStatus: Map<number, number>
  /** From a request's arrival to its answer, ms. */
  readonly latencyMs: Histogram
}

/** Requests by operation and status, and how long their answers took to make. */
export class RequestCounts {
  readonly byOperation = new Map<string, OperationCounts>()

  constructor(private readonly systemClock: SystemClock) {}

  /** The instant at which a request has come, for `count`. */
  arrival(): number {
    return this.systemClock.monotonicMs()
  }

  /**
   * A request has its answer.
   *
   * @param operation an id out of a list of ours, never a name that a client has chosen: each one
   * is a time series for whoever collects these
   */
  count(operation: string, status: number, arrivedMs: number): void {
    const { byStatus, latencyMs } = this.of(operation)
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
    latencyMs.observe(this.systemClock.monotonicMs() - arrivedMs)
  }

  private of(operation: string): OperationCounts {
    const known = this.byOperation.get(operation)
    if (known) return known
    const counts = { byStatus: new Map(), latencyMs: new Histogram(LATENCY_BOUNDS_MS) }
    this.byOperation.set(operation, counts)
    return counts
  }
}

/** Most answers take less than a millisecond; the last ones are what a client gives up on. */
const LATENCY_BOUNDS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 5_000]
