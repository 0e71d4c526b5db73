import { TimedQueue } from '../timed-queue.ts'

/** Something that happens when a price is reached. */
export interface PriceAlarm {
  /** Price units. */
  readonly px: number
  /** Whether it is reached by the mark price rather than by trades. */
  readonly ofMark?: boolean
  /** Whether it is reached from below. */
  readonly above: boolean
  run(timeMs: number): void
}

/** What waits for prices of one instrument: the nearest is known without looking at the others. */
export class PriceAlarms {
  private readonly above = new TimedQueue<PriceAlarm>()
  private readonly below = new TimedQueue<PriceAlarm>()

  put(alarm: PriceAlarm): void {
    if (alarm.above) this.above.put(alarm.px, alarm)
    else this.below.put(-alarm.px, alarm)
  }

  /** Runs those that a price has reached, in price units. */
  run(px: number, timeMs: number): void {
    const due: PriceAlarm[] = []
    for (let alarm = this.take(px, px); alarm; alarm = this.take(px, px)) due.push(alarm)
    for (const alarm of due) alarm.run(timeMs)
  }

  /** Takes out one that a price between two, in price units, has reached. */
  take(low: number, high: number): PriceAlarm | undefined {
    return this.above.take(high) ?? this.below.take(-low)
  }
}
