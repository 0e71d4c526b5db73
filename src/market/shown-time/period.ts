import { DAY_MS } from '../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../clock/instant.ts'

/** First instant of a period of so many days back; 0 days are all time. */
export const periodStart = (days: number, atMs: TapeMs): TapeMs =>
  days === 0 ? tapeMs(0) : later(atMs, -days * DAY_MS)
