/**
 * Counts trades against the candles of their minutes: trades have no numbers in a row, so that
 * nothing else shows that some were lost on a sound connection. One request a minute.
 */
import { MINUTE_MS } from '../../clock/durations.ts'
import type { Ask } from '../continuity/backfill.ts'
import type { Element } from '../continuity/element-form.ts'
import { HISTORY_CALLS } from '../contract/history-calls.ts'
import type { OnMissing } from './checker.ts'

export class TradeAudit {
  /** By the beginning of the minute. */
  private readonly counts = new Map<number, number>()
  private auditedMs: number | null = null

  /** @param onMissing of a minute, so many of so many are missing */
  constructor(
    private readonly ask: Ask,
    private readonly coin: unknown,
    private readonly onMissing: OnMissing,
  ) {}

  /** A trade that is told, for the first time. When the first one of a minute comes, it looks. */
  count(timeMs: number): void {
    const minuteMs = timeMs - (timeMs % MINUTE_MS)
    // The first minute was not seen from its beginning.
    this.auditedMs ??= minuteMs
    const isNew = !this.counts.has(minuteMs)
    this.counts.set(minuteMs, (this.counts.get(minuteMs) ?? 0) + 1)
    const fromMs = this.auditedMs + MINUTE_MS
    if (!isNew || fromMs >= minuteMs) return
    this.auditedMs = minuteMs - MINUTE_MS
    void this.audit(fromMs, this.auditedMs)
  }

  private async audit(fromMs: number, toMs: number): Promise<void> {
    const path = { coin: this.coin, interval: '1m' }
    const query = { startTime: fromMs, endTime: toMs, limit: 2000 }
    const candles = await this.ask(HISTORY_CALLS.klinesWithTakerVol, { path, query }).catch(
      () => [],
    )
    for (const { openTime, tc } of candles as Element[]) {
      const missing = tc - (this.counts.get(openTime) ?? 0)
      if (missing > 0 && openTime >= fromMs && openTime <= toMs)
        this.onMissing(openTime, `${missing} of the ${tc} trades of this minute are missing`)
    }
    for (const minuteMs of [...this.counts.keys()])
      if (minuteMs <= toMs) this.counts.delete(minuteMs)
  }
}
