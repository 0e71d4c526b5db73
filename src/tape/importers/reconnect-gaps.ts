import type { EventDraft } from '../tape-event.ts'

/** Breaks in a collector's connection: each becomes a `gap` before what came after it. */
export class ReconnectGaps {
  private fromMs: number | null = null

  /** Nothing is known from this moment on; of several breaks in a row the first counts. */
  begin(fromMs: number): void {
    if (fromMs > 0) this.fromMs ??= fromMs
  }

  /** The same events, behind the gap that ends with them. */
  before(drafts: EventDraft[]): EventDraft[] {
    const first = drafts[0]
    if (this.fromMs === null || first === undefined) return drafts
    const time = Math.max(first.time, this.fromMs)
    const data = { fromMs: this.fromMs, why: 'the collector was not connected' }
    this.fromMs = null
    return [{ time, kind: 'gap', coin: '', data }, ...drafts]
  }
}
