/** How busy a market is by hour and day, against its mean over a week. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** By hour of the day, UTC: most while America trades, least before Asia's morning. */
const BY_HOUR = [
  ...[0.95, 0.9, 0.85, 0.72, 0.66, 0.64, 0.7, 0.82, 0.95, 0.95, 0.95, 1],
  ...[1.15, 1.45, 1.65, 1.55, 1.35, 1.15, 1.05, 1, 0.95, 0.88, 0.75, 0.78],
]
const WEEKEND = 0.62
/** Mean of a week of five days and two at the weekend. */
const MEAN = (BY_HOUR.reduce((sum, part) => sum + part, 0) / 24) * ((5 + 2 * WEEKEND) / 7)

/** New York trades from half past 14 to 21 in winter. */
const SESSION = { fromMs: 14.5 * HOUR_MS, toMs: 21 * HOUR_MS }
/** Half of a day's variance falls into the session. */
const IN_SESSION = 2
const OUT_OF_SESSION = 0.75
const STOCK_WEEKEND = 0.12
const STOCK_MEAN =
  (5 * (IN_SESSION * (6.5 / 24) + OUT_OF_SESSION * (17.5 / 24)) + 2 * STOCK_WEEKEND) / 7

/** Where the day of an instrument comes from. */
export type Trading = 'always' | 'stock'

/** Turnover at an instant against the mean of a week. */
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
