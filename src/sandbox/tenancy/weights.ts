/** The weight that was spent in a minute of the session clock (shapes 5.2). */
import { minuteOf } from '../../clock/calendar.ts'
import { WEIGHT_MOST } from '../../contract/venue/weights.ts'

export class Weights {
  private minute = Number.NaN
  private spent = 0

  /** Counts it; false, and nothing counted, when the minute's weight is used up. */
  spend(weight: number, nowMs: number): boolean {
    const minute = minuteOf(nowMs)
    if (minute !== this.minute) Object.assign(this, { minute, spent: 0 })
    if (this.spent >= WEIGHT_MOST) return false
    this.spent += weight
    return true
  }
}
