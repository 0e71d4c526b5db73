/** The exchanges' own lists of their holidays. */

import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../clock/instant.ts'
import { type ExchangeHolidays, hongKongHolidays, newYorkHolidays } from './stock-session.ts'

const listed = (days: ReadonlySet<number>) =>
  [...days]
    .filter((day) => new Date(day * DAY_MS).getUTCDay() % 6 !== 0)
    .map((day) => new Date(day * DAY_MS).toISOString().slice(5, 10))
    .sort()
const both = ({ closed, short }: ExchangeHolidays) => [
  listed(closed).join(' '),
  listed(short).join(' '),
]

test('New York rests on the days that its exchange lists', () => {
  const lists: Record<number, [closed: string, short: string]> = {
    2024: ['01-01 01-15 02-19 03-29 05-27 06-19 07-04 09-02 11-28 12-25', '07-03 11-29 12-24'],
    2025: ['01-01 01-20 02-17 04-18 05-26 06-19 07-04 09-01 11-27 12-25', '07-03 11-28 12-24'],
    2026: ['01-01 01-19 02-16 04-03 05-25 06-19 07-03 09-07 11-26 12-25', '11-27 12-24'],
    2027: ['01-01 01-18 02-15 03-26 05-31 06-18 07-05 09-06 11-25 12-24', '11-26'],
    2028: ['01-17 02-21 04-14 05-29 06-19 07-04 09-04 11-23 12-25', '07-03 11-24'],
  }
  for (const [year, list] of Object.entries(lists))
    expect([year, ...both(newYorkHolidays(Number(year)))]).toEqual([year, ...list])
})

test('Hong Kong rests on the general holidays', () => {
  const lists: Record<number, [closed: string, short: string]> = {
    2024: [
      '01-01 02-12 02-13 03-29 04-01 04-04 05-01 05-15 06-10 07-01 09-18 10-01 10-11 12-25 12-26',
      '02-09 12-24 12-31',
    ],
    2025: [
      '01-01 01-29 01-30 01-31 04-04 04-18 04-21 05-01 05-05 07-01 10-01 10-07 10-29 12-25 12-26',
      '01-28 12-24 12-31',
    ],
    2026: [
      '01-01 02-17 02-18 02-19 04-03 04-06 04-07 05-01 05-25 06-19 07-01 10-01 10-19 12-25',
      '02-16 12-24 12-31',
    ],
    2027: [
      '01-01 02-08 02-09 03-26 03-29 04-05 05-13 06-09 07-01 09-16 10-01 10-08 12-27',
      '02-05 12-24 12-31',
    ],
    2028: [
      '01-26 01-27 01-28 04-04 04-14 04-17 05-01 05-02 05-29 10-02 10-04 10-26 12-25 12-26',
      '01-25',
    ],
    2029: [
      '01-01 02-13 02-14 02-15 03-30 04-02 04-04 05-01 05-21 07-02 09-24 10-01 10-16 12-25 12-26',
      '02-12 12-24 12-31',
    ],
    2030: [
      '01-01 02-04 02-05 02-06 04-05 04-19 04-22 05-01 05-09 06-05 07-01 09-13 10-01 12-25 12-26',
      '12-24 12-31',
    ],
  }
  for (const [year, list] of Object.entries(lists))
    expect([year, ...both(hongKongHolidays(Number(year)))]).toEqual([year, ...list])
})

test('beyond the table the holidays of the civil calendar and of Easter are kept', () => {
  expect(both(hongKongHolidays(2031))[0]).toBe('01-01 04-11 04-14 05-01 07-01 10-01 12-25 12-26')
})
