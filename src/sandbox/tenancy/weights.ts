/** The weight that was spent in a minute of the session clock (shapes 5.2). */
import { minuteOf } from '../../clock/calendar.ts'
import { WEIGHT_MOST } from '../../contract/venue/weights.ts'

/** What was spent in a minute, by its number. */
export interface Spent {
  minute: number
  spent: number
}

export class Weights {
  private minute = Number.NaN
  private spent = 0

  /** null when nothing was spent yet. */
  get saved(): Spent | null {
    const { minute, spent } = this
    return Number.isNaN(minute) ? null : { minute, spent }
  }

  resume(saved: Spent | null): void {
    Object.assign(this, saved ?? { minute: Number.NaN, spent: 0 })
  }

  /** Counts it; false, and nothing counted, when the minute's weight is used up. */
  spend(weight: number, nowMs: number): boolean {
    const minute = minuteOf(nowMs)
    if (minute !== this.minute) Object.assign(this, { minute, spent: 0 })
    if (this.spent >= WEIGHT_MOST) return false
    this.spent += weight
    return true
  }
}
