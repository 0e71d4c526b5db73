/** A span without events. */

export interface Silence {
  fromMs: number
  toMs: number
}

export interface Silences {
  /** Shortest silence that counts, ms. */
  leastMs: number
  count: number
  totalMs: number
  /** The longest ones, in order of time. */
  longest: Silence[]
}

/** A silence of this many usual pauses counts if it lasts at least ten seconds. */
const USUAL_PAUSES = 50
const LEAST_MS = 10_000

/** Finds silences in the times of a tape's events. */
export class SilenceLog {
  private readonly leastMs: number
  private readonly longest: Silence[] = []
  private count = 0
  private totalMs = 0

  /**
   * @param usualMs the mean time between two events
   * @param listedMax how many of the longest are kept
   */
  constructor(
    private latestMs: number,
    usualMs: number,
    private readonly listedMax: number,
  ) {
    this.leastMs = Math.max(LEAST_MS, Math.round(usualMs * USUAL_PAUSES))
  }

  observe(timeMs: number): void {
    if (timeMs - this.latestMs >= this.leastMs) this.add({ fromMs: this.latestMs, toMs: timeMs })
    this.latestMs = timeMs
  }

  result(endMs: number): Silences {
    this.observe(endMs)
    const { leastMs, count, totalMs } = this
    return { leastMs, count, totalMs, longest: this.longest.sort((a, b) => a.fromMs - b.fromMs) }
  }

  private add(silence: Silence): void {
    this.count++
    this.totalMs += lengthOf(silence)
    this.longest.push(silence)
    if (this.longest.length <= this.listedMax) return
    this.longest.sort((a, b) => lengthOf(b) - lengthOf(a))
    this.longest.length = this.listedMax
  }
}

const lengthOf = ({ fromMs, toMs }: Silence) => toMs - fromMs
