/**
 * Whether the server has started, and what is counted as it happens, over all sandboxes of the
 * process. All else that is watched is read when somebody asks.
 */
import type { SystemClock } from '../../clock/system-clock.ts'

/** Frames of all sockets. */
export interface FrameCounts {
  received: number
  sent: number
  /** What a client did not take in time and is not sent any more. */
  discarded: number
}

export class ServerMetrics {
  /** Whether it listens before its sandboxes are there. */
  isStarting = false
  /** Requests for operations of the contract. */
  readonly requests: RequestCounts
  /** Calls of the control plane. */
  readonly controlRequests: RequestCounts
  readonly frames: FrameCounts = { received: 0, sent: 0, discarded: 0 }
  /** Requests that ended in a fault of ours, with HTTP 500. */
  faults = 0
  /** Looks once it is started. */
  readonly eventLoop: EventLoopDelay

  constructor(systemClock: SystemClock) {
    this.requests = new RequestCounts(systemClock)
    this.controlRequests = new RequestCounts(systemClock)
    this.eventLoop = new EventLoopDelay(systemClock)
  }
}

/** Requests for one operation. */
interface OperationCounts {
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

/** Counts of observed values by fixed bounds: what a latency is kept in. */
export class Histogram {
  /** How many values were above the previous bound and not above this one; last, above all. */
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

  /** For each bound how many values were not above it, and last how many there were. */
  get cumulativeCounts(): number[] {
    let sum = 0
    return [...this.counts].map((count) => {
      sum += count
      return sum
    })
  }
}

// How late the event loop gets to what is due: a timer that looks how late it is called.

/** Between two looks. Shorter than what a client would feel, and no burden. */
const INTERVAL_MS = 20

/** For so long a delay counts as recent. */
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

  /** Looks from now on. */
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

  /** Whether there is anything to show. */
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
