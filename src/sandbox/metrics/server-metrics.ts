/**
 * The counters of a server over all sandboxes of the process, and whether it has started. All other
 * metrics are read on request.
 */
import type { SystemClock } from '../../clock/system-clock.ts'

/** Frames of all sockets. */
export interface FrameCounts {
  received: number
  sent: number
  /** Frames dropped because their client was too slow. */
  discarded: number
}

export class ServerMetrics {
  /** Whether it listens before its sandboxes are ready. */
  isStarting = false
  /** Requests for operations of the contract. */
  readonly requests: RequestCounts
  /** Calls of the control plane. */
  readonly controlRequests: RequestCounts
  readonly frames: FrameCounts = { received: 0, sent: 0, discarded: 0 }
  /** Requests that failed with an internal error, HTTP 500. */
  faults = 0
  /** Observes once it is started. */
  readonly eventLoop: EventLoopDelay

  constructor(systemClock: SystemClock) {
    this.requests = new RequestCounts(systemClock)
    this.controlRequests = new RequestCounts(systemClock)
    this.eventLoop = new EventLoopDelay(systemClock)
  }
}

/** Requests for one operation. */
interface OperationCounts {
  /** Responses by HTTP status. */
  readonly byStatus: Map<number, number>
  /** From a request's arrival to its answer, ms. */
  readonly latencyMs: Histogram
}

/** Counts requests by operation and status, and their latency. */
export class RequestCounts {
  readonly byOperation = new Map<string, OperationCounts>()

  constructor(private readonly systemClock: SystemClock) {}

  /** The arrival time of a request, for `count`. */
  arrival(): number {
    return this.systemClock.monotonicMs()
  }

  /**
   * Counts an answered request.
   *
   * @param operation an id of our own list, never a name that a client chooses: each one is a time
   * series of the collector
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

/** Most responses take less than a millisecond; the last bounds are common client timeouts. */
const LATENCY_BOUNDS_MS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 5_000]

/** A histogram with fixed bounds, used for latencies. */
export class Histogram {
  /** Number of values above the previous bound and not above this one; last, above all. */
  readonly counts: Float64Array
  sum = 0

  /** @param bounds ascending; of the same unit as the values */
  constructor(readonly bounds: readonly number[]) {
    this.counts = new Float64Array(bounds.length + 1)
  }

  observe(value: number): void {
    const { bounds, counts } = this
    let at = 0
    while (at < bounds.length && value > (bounds[at] as number)) at++
    counts[at] = (counts[at] as number) + 1
    this.sum += value
  }

  /** For each bound the number of values not above it, and last the number of all. */
  get cumulativeCounts(): number[] {
    let sum = 0
    return [...this.counts].map((count) => {
      sum += count
      return sum
    })
  }
}

// The event loop's delay: how late a timer fires.

/** Interval between two observations, ms: shorter than a client would notice, and cheap. */
const INTERVAL_MS = 20

/** Duration for which a delay counts as recent, ms. */
const RECENT_MS = 10_000

const NOTHING = () => {}

const BOUNDS_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000]

export class EventLoopDelay {
  readonly delaysMs = new Histogram(BOUNDS_MS)
  /** The longest delays of this window and of the one before it. */
  private longestMs = { current: 0, previous: 0 }
  private windowStartMs: number
  private dueMs = 0
  private cancel: () => void = NOTHING

  constructor(private readonly systemClock: SystemClock) {
    this.windowStartMs = systemClock.monotonicMs()
  }

  /** Starts observing. */
  start(): void {
    this.stop()
    this.dueMs = this.systemClock.monotonicMs() + INTERVAL_MS
    this.cancel = this.systemClock.startTimer(INTERVAL_MS, () => {
      this.observe(Math.max(0, this.systemClock.monotonicMs() - this.dueMs))
      this.start()
    })
  }

  stop(): void {
    this.cancel()
    this.cancel = NOTHING
  }

  /** Whether there is a value to show. */
  get isObserving(): boolean {
    return this.cancel !== NOTHING
  }

  /** The longest delay of the last ten to twenty seconds, ms. */
  get recentLongestMs(): number {
    this.turnWindow()
    return Math.max(this.longestMs.current, this.longestMs.previous)
  }

  private observe(delayMs: number): void {
    this.turnWindow()
    this.delaysMs.observe(delayMs)
    this.longestMs.current = Math.max(this.longestMs.current, delayMs)
  }

  private turnWindow(): void {
    const nowMs = this.systemClock.monotonicMs()
    const passedMs = nowMs - this.windowStartMs
    if (passedMs < RECENT_MS) return
    const previous = passedMs < 2 * RECENT_MS ? this.longestMs.current : 0
    this.longestMs = { current: 0, previous }
    this.windowStartMs = nowMs
  }
}
