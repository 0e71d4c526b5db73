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
    private readonly writeLine: (line: string) => void,
    private readonly systemClock: SystemClock,
  ) {}

  /** Whether a line is to be written for a request: not if enough was written just now. */
  hasRoom(): boolean {
    const nowMs = this.systemClock.monotonicMs()
    if (nowMs - this.sinceMs > WINDOW_MS) this.startWindow(nowMs)
    if (this.lines < LINES_MAX) this.lines++
    else this.suppressedCount++
    return this.suppressedCount === 0
  }

  /** Writes the line that there was room for. Names that a stranger gives may hold line ends. */
  write(line: string): void {
    this.writeLine(line.replaceAll(/\p{Cc}/gu, ' '))
  }

  private startWindow(nowMs: number): void {
    if (this.suppressedCount > 0)
      this.writeLine(`${this.suppressedCount} more requests were refused`)
    this.sinceMs = nowMs
    this.lines = 0
    this.suppressedCount = 0
  }
}
