/** The request weight that was spent in a minute of the session clock. */
import { minuteOf } from '../../clock/calendar.ts'
import { WEIGHT_PER_MINUTE } from '../../contract/venue/request-weights.ts'

/** What was spent in a minute, by its number. */
export interface SpentWeight {
  readonly minute: number
  readonly spent: number
}

export class VenueWeight {
  private latest: SpentWeight | null = null

  /** null when nothing was spent yet. */
  get saved(): SpentWeight | null {
    return this.latest
  }

  restore(saved: SpentWeight | null): void {
    this.latest = saved
  }

  /** Counts it; false, and nothing counted, when the minute's weight is used up. */
  spend(weight: number, nowMs: number): boolean {
    const minute = minuteOf(nowMs)
    const spent = minute === this.latest?.minute ? this.latest.spent : 0
    if (spent >= WEIGHT_PER_MINUTE) return false
    this.latest = { minute, spent: spent + weight }
    return true
  }
}
