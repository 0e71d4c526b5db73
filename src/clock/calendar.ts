/** The calendar by which quotas are counted: UTC. */

/** Months since year 0; the same number within one calendar month. */
export function monthOf(timeMs: number): number {
  const date = new Date(timeMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** First instant of the month after the one that holds `timeMs`. */
export function nextMonthMs(timeMs: number): number {
  const date = new Date(timeMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** An instant as the `Date` header of HTTP writes it, to the second. */
export const httpDate = (timeMs: number): string => new Date(timeMs).toUTCString()

/** Minutes since 1970; the same number within one minute of the clock. */
export const minuteOf = (timeMs: number): number => Math.floor(timeMs / 60_000)
