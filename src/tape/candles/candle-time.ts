/** The forms in which a file of candles gives times. */

const MS_PER = { seconds: 1000, milliseconds: 1 } as const

/** How a time is written. */
export type TimeForm = keyof typeof MS_PER | 'ISO 8601'

/** A time as it is written, or what is wrong with it. */
export type ReadTime = { timeMs: number; form: TimeForm } | { flaw: string }

const ISO = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:?\d\d)?)?$/

/**
 * Reads a time: seconds of ten digits, milliseconds of thirteen, or ISO 8601 with its zone (a bare
 * day is one of UTC). These are told apart with certainty from the year 2001 to 2286.
 */
export function readTime(text: string): ReadTime {
  if (/^\d{10}$/.test(text)) return { timeMs: Number(text) * MS_PER.seconds, form: 'seconds' }
  if (/^\d{13}$/.test(text)) return { timeMs: Number(text), form: 'milliseconds' }
  const iso = ISO.exec(text)
  if (iso === null)
    return {
      flaw: /^\d+$/.test(text)
        ? `a number of ${text.length} digits: wanted are seconds (10 digits), ` +
          'milliseconds (13) or ISO 8601'
        : 'no time: wanted are seconds, milliseconds or ISO 8601, such as 2026-01-15T12:00:00Z',
    }
  if (text.length > 10 && iso[1] === undefined)
    return { flaw: 'a time without its zone: end it with Z if it is UTC' }
  const timeMs = Date.parse(text.replace(' ', 'T'))
  return Number.isNaN(timeMs) || !isDay(text.slice(0, 10))
    ? { flaw: 'no day there is' }
    : { timeMs, form: 'ISO 8601' }
}

/** The 30th of February is read as one of March. */
const isDay = (text: string): boolean => new Date(text).toISOString().startsWith(text)

/** Whether a cell can be the time of a candle; the names of a header cannot. */
export const looksLikeTime = (text: string): boolean => /^\d/.test(text)
