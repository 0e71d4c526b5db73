/**
 * Days on which stock exchanges rest or close early.
 *
 * New York's follow rules (NYSE, "Holidays & Trading Hours", as since 2022). Of Hong Kong's, those
 * of the moon and the sun stand in a table for 2024 to 2030 (the government's lists of general
 * holidays, and calendars reckoned by the moon); in other years only those of the civil calendar
 * and of Easter are kept. Closures that are announced for one occasion, for a mourning or a
 * typhoon, are not known.
 */

/** Whole days since 1970. */
export type DayNumber = number

export interface ExchangeHolidays {
  closed: ReadonlySet<DayNumber>
  /** Open for the morning only. */
  short: ReadonlySet<DayNumber>
}

export const dayNumber = (year: number, month: number, day: number): DayNumber =>
  Math.floor(Date.UTC(year, month - 1, day) / 86_400_000)

/** 0 is Monday. */
export const weekdayOf = (day: DayNumber) => (((day + 3) % 7) + 7) % 7

const [FRIDAY, SATURDAY, SUNDAY] = [4, 5, 6]

export function newYorkHolidays(year: number): ExchangeHolidays {
  const on = (month: number, day: number) => dayNumber(year, month, day)
  const nth = (month: number, weekday: number, count: number) => {
    const first = on(month, 1)
    return first + ((weekday - weekdayOf(first) + 7) % 7) + 7 * (count - 1)
  }
  const lastMonday = on(6, 1) - 1 - weekdayOf(on(6, 1) - 1)
  const observed = (day: DayNumber) =>
    day + (weekdayOf(day) === SATURDAY ? -1 : weekdayOf(day) === SUNDAY ? 1 : 0)
  const thanksgiving = nth(11, 3, 4)
  // A new year's day on a Saturday is not made up for: the Friday closes the books of a year.
  const newYear = weekdayOf(on(1, 1)) === SATURDAY ? [] : [observed(on(1, 1))]
  const closed = new Set([
    ...newYear,
    nth(1, 0, 3),
    nth(2, 0, 3),
    easterSunday(year) - 2,
    lastMonday,
    observed(on(6, 19)),
    observed(on(7, 4)),
    nth(9, 0, 1),
    thanksgiving,
    observed(on(12, 25)),
  ])
  const short = [on(7, 3), thanksgiving + 1, on(12, 24)].filter(
    (day) => weekdayOf(day) <= FRIDAY && !closed.has(day),
  )
  return { closed, short: new Set(short) }
}

export function hongKongHolidays(year: number): ExchangeHolidays {
  const on = (month: number, day: number) => dayNumber(year, month, day)
  const moved = (MOVABLE[year] ?? []).map(([month, day]) => on(month, day))
  const easter = easterSunday(year)
  const named = [on(1, 1), ...moved, easter - 2, easter + 1, on(5, 1), on(7, 1)]
  const closed = new Set<DayNumber>()
  for (const day of [...named, on(10, 1), on(12, 25), on(12, 26)]) {
    let free = day
    // What falls on a Sunday or on another holiday is made up for on the next day.
    while (weekdayOf(free) === SUNDAY || closed.has(free)) free++
    closed.add(free)
  }
  const newYear = moved[0]
  const eves = [on(12, 24), on(12, 31), ...(newYear === undefined ? [] : [newYear - 1])]
  const short = eves.filter((day) => weekdayOf(day) <= FRIDAY && !closed.has(day))
  return { closed, short: new Set(short) }
}

type MonthDay = readonly [month: number, day: number]

/**
 * Three days of the lunar new year, the Ching Ming festival, the Buddha's birthday, the Tuen Ng
 * festival, the day after the mid-autumn festival and the Chung Yeung festival.
 */
const MOVABLE: Record<number, readonly MonthDay[]> = {
  2024: [...days(2, 10, 11, 12), [4, 4], [5, 15], [6, 10], [9, 18], [10, 11]],
  2025: [...days(1, 29, 30, 31), [4, 4], [5, 5], [5, 31], [10, 7], [10, 29]],
  2026: [...days(2, 17, 18, 19), [4, 5], [5, 24], [6, 19], [9, 26], [10, 18]],
  2027: [...days(2, 6, 7, 8), [4, 5], [5, 13], [6, 9], [9, 16], [10, 8]],
  2028: [...days(1, 26, 27, 28), [4, 4], [5, 2], [5, 28], [10, 4], [10, 26]],
  2029: [...days(2, 13, 14, 15), [4, 4], [5, 20], [6, 16], [9, 23], [10, 16]],
  // The new moon is at 00:07 there: calendars of other time zones begin this year a day before.
  2030: [...days(2, 3, 4, 5), [4, 5], [5, 9], [6, 5], [9, 13], [10, 5]],
}

function days(month: number, ...ofMonth: number[]): MonthDay[] {
  return ofMonth.map((day) => [month, day])
}

/** Of the Gregorian calendar, by the anonymous algorithm (Meeus, Jones, Butcher). */
function easterSunday(year: number): DayNumber {
  const [a, b, c] = [year % 19, Math.floor(year / 100), year % 100]
  const [d, e] = [Math.floor(b / 4), b % 4]
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const [i, k] = [Math.floor(c / 4), c % 4]
  const l = (32 + 2 * e + 2 * i - h - k) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const place = h + l - 7 * m + 114
  return dayNumber(year, Math.floor(place / 31), (place % 31) + 1)
}
