/** One line for each request that was refused without saying why, but no flood of them. */
import type { Machine } from '../clock/machine.ts'

/** Lines in a span of time; what is more is counted. */
const LINES_MOST = 5
const SPAN_MS = 10_000

export class RefusalLog {
  private sinceMs = Number.NEGATIVE_INFINITY
  private lines = 0
  private unsaid = 0

  constructor(
    private readonly say: (line: string) => void,
    private readonly machine: Machine,
  ) {}

  /** Says what `line` makes, unless enough was said; `line` is only called when it is. */
  tell(line: () => string): void {
    const nowMs = this.machine.monotonicMs()
    if (nowMs - this.sinceMs > SPAN_MS) this.begin(nowMs)
    if (this.lines >= LINES_MOST) {
      this.unsaid++
      return
    }
    this.lines++
    // Names that a stranger gives may hold line ends.
    this.say(line().replaceAll(/\p{Cc}/gu, ' '))
  }

  private begin(nowMs: number): void {
    if (this.unsaid > 0) this.say(`${this.unsaid} more requests were refused`)
    this.sinceMs = nowMs
    this.lines = 0
    this.unsaid = 0
  }
}
