import type { RecordedGap } from '../bars/recorded-gap.ts'
import { SilenceLog } from '../bars/silence-log.ts'
import type { InputEvent, InputHeader } from './tape-input.ts'

/** More would make the row that has them long. */
const GAPS_MAX = 1_000

/** Where a tape has nothing, or its recorder says that something is missing. */
export class TapeGaps {
  private readonly silences: SilenceLog
  private readonly told: RecordedGap[] = []

  constructor(private readonly header: InputHeader) {
    const { startMs, endMs, counts } = header
    const events = Object.values(counts).reduce<number>((sum, count) => sum + (count ?? 0), 0)
    this.silences = new SilenceLog(startMs, (endMs - startMs) / Math.max(1, events), GAPS_MAX)
  }

  observe(event: InputEvent): void {
    this.silences.observe(event.time)
    if (event.kind !== 'gap' || this.told.length >= GAPS_MAX) return
    const { fromMs, why } = event.data
    this.told.push({ fromMs, toMs: event.time, why })
  }

  /** In order of time; a silence that the recorder tells of is there once. */
  result(): RecordedGap[] {
    const isTold = (fromMs: number, toMs: number) =>
      this.told.some((gap) => gap.fromMs <= toMs && gap.toMs >= fromMs)
    const silent = this.silences
      .result(this.header.endMs)
      .longest.filter(({ fromMs, toMs }) => !isTold(fromMs, toMs))
      .map((silence) => ({ ...silence, why: 'nothing was recorded' }))
    return [...silent, ...this.told].sort((a, b) => a.fromMs - b.fromMs)
  }
}
