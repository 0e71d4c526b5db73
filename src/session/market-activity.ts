/** When each market last had an event: what has had none for long is stale. */
import type { Source } from '../contract/channel.ts'
import { isOfAccount, type TimelineEvent } from '../contract/timeline.ts'

/** Session times, ms. */
interface CoinActivity {
  bookMs: number
  anyMs: number
}

export class MarketActivity {
  private readonly coins = new Map<string, CoinActivity>()
  private anyMs: number

  /** @param sinceMs from when on events are noted */
  constructor(private readonly sinceMs: number) {
    this.anyMs = sinceMs
  }

  note(event: TimelineEvent, nowMs: number): void {
    this.anyMs = nowMs
    if (isOfAccount(event)) return
    const { coin, kind } = event
    let activity = this.coins.get(coin)
    if (!activity) {
      activity = { bookMs: this.sinceMs, anyMs: nowMs }
      this.coins.set(coin, activity)
    }
    activity.anyMs = nowMs
    if (kind === 'book' || kind === 'bbo') activity.bookMs = nowMs
  }

  /** When a source last had an event. */
  lastMs(source: Source, coin: unknown): number {
    if (source === 'market') return this.anyMs
    const activity = this.coins.get(String(coin))
    if (!activity) return this.sinceMs
    return source === 'book' ? activity.bookMs : activity.anyMs
  }
}
