/** How often each key has called, by calendar month and by minute of the session clock. */
import { minuteOf, monthOf } from '../../clock/calendar.ts'

interface Count {
  month: number
  inMonth: number
  minute: number
  inMinute: number
}

export class Usage {
  private readonly counts = new Map<string, Count>()

  /** One more request. */
  add(accessKey: string, nowMs: number): void {
    const count = this.at(accessKey, nowMs)
    count.inMonth++
    count.inMinute++
  }

  /** Requests so far in the month of `nowMs`. */
  inMonth(accessKey: string, nowMs: number): number {
    return this.at(accessKey, nowMs).inMonth
  }

  /** Requests so far in the minute of `nowMs`. */
  inMinute(accessKey: string, nowMs: number): number {
    return this.at(accessKey, nowMs).inMinute
  }

  /** Sets what was used this month. */
  set(accessKey: string, nowMs: number, inMonth: number): void {
    this.at(accessKey, nowMs).inMonth = inMonth
  }

  forget(accessKey: string): void {
    this.counts.delete(accessKey)
  }

  private at(accessKey: string, nowMs: number): Count {
    const month = monthOf(nowMs)
    const minute = minuteOf(nowMs)
    const known = this.counts.get(accessKey)
    if (!known) {
      const made = { month, inMonth: 0, minute, inMinute: 0 }
      this.counts.set(accessKey, made)
      return made
    }
    if (known.month !== month) Object.assign(known, { month, inMonth: 0 })
    if (known.minute !== minute) Object.assign(known, { minute, inMinute: 0 })
    return known
  }
}
