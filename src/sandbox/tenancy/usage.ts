/** How often each key has called, by calendar month and by minute of the session clock. */
import { minuteOf, monthOf } from '../../clock/calendar.ts'

/** Requests of a calendar month and of a minute, each by its number. */
export interface UsageCount {
  month: number
  inMonth: number
  minute: number
  inMinute: number
}

export class Usage {
  private readonly counts = new Map<string, UsageCount>()
  private listener: (name: string) => void = () => {}

  /** Called with the name of each count that changes or is removed. */
  onChange(listener: (name: string) => void): void {
    this.listener = listener
  }

  names(): Iterable<string> {
    return this.counts.keys()
  }

  /** As it was last touched; undefined when there is none. */
  countOf(name: string): Readonly<UsageCount> | undefined {
    return this.counts.get(name)
  }

  /** In place of all that was counted. */
  restore(counts: Iterable<[string, UsageCount]>): void {
    this.counts.clear()
    for (const [name, count] of counts) this.counts.set(name, { ...count })
  }

  /** One more request. */
  add(accessKey: string, nowMs: number): void {
    const count = this.currentCount(accessKey, nowMs)
    count.inMonth++
    count.inMinute++
    this.listener(accessKey)
  }

  /** Requests so far in the month of `nowMs`. */
  inMonth(accessKey: string, nowMs: number): number {
    return this.currentCount(accessKey, nowMs).inMonth
  }

  /** Requests so far in the minute of `nowMs`. */
  inMinute(accessKey: string, nowMs: number): number {
    return this.currentCount(accessKey, nowMs).inMinute
  }

  /** Sets what was used this month. */
  set(accessKey: string, nowMs: number, inMonth: number): void {
    this.currentCount(accessKey, nowMs).inMonth = inMonth
    this.listener(accessKey)
  }

  forget(accessKey: string): void {
    this.counts.delete(accessKey)
    this.listener(accessKey)
  }

  private currentCount(accessKey: string, nowMs: number): UsageCount {
    const month = monthOf(nowMs)
    const minute = minuteOf(nowMs)
    const known = this.counts.get(accessKey)
    if (!known) {
      const fresh = { month, inMonth: 0, minute, inMinute: 0 }
      this.counts.set(accessKey, fresh)
      return fresh
    }
    if (known.month !== month) Object.assign(known, { month, inMonth: 0 })
    if (known.minute !== minute) Object.assign(known, { minute, inMinute: 0 })
    return known
  }
}
