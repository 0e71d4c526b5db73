/** When anything was last heard of a market, so that what has been silent is known. */
import type { Source } from '../contract/channel.ts'
import type { TimelineEvent } from '../contract/timeline.ts'

/** Session times, ms. */
interface CoinNews {
  bookMs: number
  anyMs: number
}

export class MarketActivity {
  private readonly coins = new Map<string, CoinNews>()
  private anyMs: number

  /** @param sinceMs from when on it is listened to: of before nothing is known */
  constructor(private readonly sinceMs: number) {
    this.anyMs = sinceMs
  }

  note(happening: TimelineEvent, nowMs: number): void {
    this.anyMs = nowMs
    if (!('coin' in happening)) return
    const { coin, kind } = happening
    const known = this.coins.get(coin) ?? { bookMs: this.sinceMs, anyMs: nowMs }
    known.anyMs = nowMs
    if (kind === 'book' || kind === 'bbo') known.bookMs = nowMs
    this.coins.set(coin, known)
  }

  /** When a source was last heard of. */
  lastMs(source: Source, coin: unknown): number {
    if (source === 'market') return this.anyMs
    const known = this.coins.get(String(coin))
    if (!known) return this.sinceMs
    return source === 'book' ? known.bookMs : known.anyMs
  }
}
