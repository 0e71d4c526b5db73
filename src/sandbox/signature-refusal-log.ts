/** One line for each request that was refused without saying why, but no flood of them. */
import type { SystemClock } from '../clock/system-clock.ts'

/** Lines in a span of time; what is more is counted. */
const LINES_MAX = 5
const WINDOW_MS = 10_000

export class SignatureRefusalLog {
  private sinceMs = Number.NEGATIVE_INFINITY
  private lines = 0
  private suppressedCount = 0

  constructor(
    private readonly write: (line: string) => void,
    private readonly systemClock: SystemClock,
  ) {}

  /** Writes what `line` gives, unless enough was written; `line` is only called when it is. */
  log(line: () => string): void {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs - this.sinceMs > WINDOW_MS) this.startWindow(nowMs)
    if (this.lines >= LINES_MAX) {
      this.suppressedCount++
      return
    }
    this.lines++
    // Names that a stranger gives may hold line ends.
    this.write(line().replaceAll(/\p{Cc}/gu, ' '))
  }

  private startWindow(nowMs: number): void {
    if (this.suppressedCount > 0) this.write(`${this.suppressedCount} more requests were refused`)
    this.sinceMs = nowMs
    this.lines = 0
    this.suppressedCount = 0
  }
}
