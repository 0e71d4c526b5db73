/** The weight that was spent in a minute of the session clock (shapes 5.2). */
import { minuteOf } from '../../clock/calendar.ts'
import { WEIGHT_MOST } from '../../contract/venue/weights.ts'

/** What was spent in a minute, by its number. */
export interface Spent {
  readonly minute: number
  readonly spent: number
}

export class Weights {
  private latest: Spent | null = null

  /** null when nothing was spent yet. */
  get saved(): Spent | null {
    return this.latest
  }

  resume(saved: Spent | null): void {
    this.latest = saved
  }

  /** Counts it; false, and nothing counted, when the minute's weight is used up. */
  spend(weight: number, nowMs: number): boolean {
    const minute = minuteOf(nowMs)
    const spent = minute === this.latest?.minute ? this.latest.spent : 0
    if (spent >= WEIGHT_MOST) return false
    this.latest = { minute, spent: spent + weight }
    return true
  }
}
