/** Activity of a market by hour and day, relative to its weekly mean. */
import { DAY_MS, HOUR_MS } from '../../clock/instant.ts'

/** By hour of the day, UTC: highest in American trading hours, lowest before Asia's morning. */
const BY_HOUR = [
  ...[0.95, 0.9, 0.86, 0.76, 0.71, 0.7, 0.74, 0.84, 0.95, 0.95, 0.95, 1],
  ...[1.13, 1.38, 1.52, 1.45, 1.28, 1.12, 1.04, 1, 0.95, 0.89, 0.79, 0.82],
]
const WEEKEND = 0.68
/** Mean of a week with five working days and a weekend. */
const MEAN = (BY_HOUR.reduce((sum, part) => sum + part, 0) / 24) * ((5 + 2 * WEEKEND) / 7)

/** New York's session is 14:30 to 21:00 UTC in winter. */
const SESSION = { fromMs: 14.5 * HOUR_MS, toMs: 21 * HOUR_MS }
/** Half of a day's variance occurs in the session. */
const IN_SESSION = 2
const OUT_OF_SESSION = 0.75
const STOCK_WEEKEND = 0.12
const STOCK_MEAN =
  (5 * (IN_SESSION * (6.5 / 24) + OUT_OF_SESSION * (17.5 / 24)) + 2 * STOCK_WEEKEND) / 7

/** Trading calendar of an instrument. */
export type Trading = 'always' | 'stock'

/** Turnover at an instant relative to the weekly mean. */
export function activityAt(trading: Trading, timeMs: number): number {
  const ofDayMs = timeMs % DAY_MS
  const isWeekend = (Math.floor(timeMs / DAY_MS) + 3) % 7 >= 5
  if (trading === 'stock') {
    const isOpen = ofDayMs >= SESSION.fromMs && ofDayMs < SESSION.toMs
    return (isWeekend ? STOCK_WEEKEND : isOpen ? IN_SESSION : OUT_OF_SESSION) / STOCK_MEAN
  }
  const hour = Math.floor(ofDayMs / HOUR_MS)
  const part = ofDayMs / HOUR_MS - hour
  const [here, next] = [BY_HOUR[hour] as number, BY_HOUR[(hour + 1) % 24] as number]
  return ((here * (1 - part) + next * part) * (isWeekend ? WEEKEND : 1)) / MEAN
}
