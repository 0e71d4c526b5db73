/**
 * Tape time and shown time as two types.
 *
 * Both are whole ms; the difference of two instants is a plain number. One becomes the other only
 * here, by the sandbox's shift.
 */
declare const tape: unique symbol
declare const shown: unique symbol

/** An instant in tape time. */
export type TapeMs = number & { readonly [tape]: true }
/** An instant in shown time. */
export type ShownMs = number & { readonly [shown]: true }

/** The shown time of an instant of the tape. */
export const shownAt = (atMs: TapeMs, shiftMs: number) => (atMs + shiftMs) as ShownMs
/** The instant of the tape that is shown as `atMs`. */
export const tapeAt = (atMs: ShownMs, shiftMs: number) => (atMs - shiftMs) as TapeMs

/** Declares a number to be tape time: read from a file, or computed from one. */
export const tapeMs = (timeMs: number) => timeMs as TapeMs
/** Declares a number to be shown time. */
export const shownMs = (timeMs: number) => timeMs as ShownMs

/** An instant so much later, or earlier when `byMs` is negative, of the same type. */
export const later = <T extends TapeMs | ShownMs>(atMs: T, byMs: number) => (atMs + byMs) as T

/** Lengths of time, ms. */
export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

// The calendar of quotas: UTC.

/** Months since year 0; the same number within one calendar month. */
export function monthOf(timeMs: number): number {
  const date = new Date(timeMs)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** First instant of the month after that of `timeMs`. */
export function nextMonthMs(timeMs: number): number {
  const date = new Date(timeMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

/** An instant in the format of the `Date` header, to the second. */
export const httpDate = (timeMs: number): string => new Date(timeMs).toUTCString()

/** Minutes since 1970; the same number within one minute of the clock. */
export const minuteOf = (timeMs: number): number => Math.floor(timeMs / 60_000)
