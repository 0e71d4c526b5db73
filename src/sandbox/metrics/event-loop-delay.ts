/** How late the event loop gets to what is due: a timer that looks how late it is called. */
import type { SystemClock } from '../../clock/system-clock.ts'
import { Histogram } from './histogram.ts'

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
