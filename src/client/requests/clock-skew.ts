/** How far the service's clock is from the machine's, learnt from what it refuses. */
import type { SystemClock } from '../../clock/system-clock.ts'

/** A signature is valid for 30 s: a smaller difference is not why one is refused. */
const SKEW_LEAST_MS = 20_000

export class ClockSkew {
  /** What is added to the machine's time. */
  offsetMs = 0

  constructor(private readonly systemClock: SystemClock) {}

  /**
   * Takes the `Date` of an answer that refuses a signature. Whether the clocks differ by so much
   * that signing anew may help.
   */
  learn(date: string | null): boolean {
    const serviceMs = date === null ? Number.NaN : Date.parse(date)
    const offsetMs = serviceMs - this.systemClock.nowMs()
    const before = this.offsetMs
    if (Number.isNaN(offsetMs)) return false
    const differs = Math.abs(offsetMs - before) > SKEW_LEAST_MS
    // Refused by its own clock: it signs by another one than it shows.
    this.offsetMs = differs ? offsetMs : 0
    return this.offsetMs !== before
  }

  /** It was not the clock. */
  forget(): void {
    this.offsetMs = 0
  }
}
