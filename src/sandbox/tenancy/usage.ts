/** How often each key has called, by calendar month and by minute of the session clock. */
import { minuteOf, monthOf } from '../../clock/calendar.ts'

/** Requests of a calendar month and of a minute, each by its number. */
export interface Count {
  month: number
  inMonth: number
  minute: number
  inMinute: number
}

export class Usage {
  private readonly counts = new Map<string, Count>()
  private listener: (name: string) => void = () => {}

  /** Told of each count that changes or goes. */
  watch(listener: (name: string) => void): void {
    this.listener = listener
  }

  names(): Iterable<string> {
    return this.counts.keys()
  }

  /** As it was last touched; undefined when there is none. */
  last(name: string): Readonly<Count> | undefined {
    return this.counts.get(name)
  }

  /** In place of all that was counted. */
  resume(counts: Iterable<[string, Count]>): void {
    this.counts.clear()
    for (const [name, count] of counts) this.counts.set(name, { ...count })
  }

  /** One more request. */
  add(accessKey: string, nowMs: number): void {
    const count = this.at(accessKey, nowMs)
    count.inMonth++
    count.inMinute++
    this.listener(accessKey)
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
    this.listener(accessKey)
  }

  forget(accessKey: string): void {
    this.counts.delete(accessKey)
    this.listener(accessKey)
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
