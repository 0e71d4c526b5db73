/** One stock on one trading day: prices and traded shares, full minute by full minute. */
import {
  DAY_MS,
  later,
  MINUTE_MS,
  type ShownMs,
  shownAt,
  shownMs,
  type TapeMs,
  tapeAt,
  tapeMs,
} from '../../../clock/instant.ts'
import { fullMinute } from '../../rows/mark-prices.ts'

// Holidays and half days of stock exchanges. New York's follow rules (NYSE, "Holidays & Trading
// Hours", as since 2022). Of Hong Kong's, the lunar and solar ones stand in a table for 2024 to
// 2030 (the government's lists of general holidays, and calendars reckoned by the moon); in other
// years only those of the civil calendar and of Easter are kept. Closures announced for one
// occasion, for a mourning or a typhoon, are unknown.

/** Whole days since 1970. */
type DayNumber = number

export interface ExchangeHolidays {
  closed: ReadonlySet<DayNumber>
  /** Open in the morning only. */
  short: ReadonlySet<DayNumber>
}

const dayNumber = (year: number, month: number, day: number): DayNumber =>
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
  // A new year's day on a Saturday is not observed: the Friday closes the books of a year.
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
    // A holiday on a Sunday or on another holiday is observed on the next day.
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

/** Position of a minute in its day, 0 to 1 of the trading time. */
type DayPart = number

/** Values of a minute that are unknown before it. */
export interface MinuteSource {
  price(minuteMs: TapeMs, part: DayPart): number
  /** Shares traded in the minutes that end at a part, while the price moved from one to another. */
  volume(part: DayPart, minutes: number, from: number, to: number): number
}

export class StockSession {
  /** First full minute of tape time with trading. */
  readonly firstMs: TapeMs
  private readonly prices: Float64Array
  /** Shares since the opening. */
  private readonly volumes: Float64Array
  private known = 0

  constructor(
    readonly day: TradingDay,
    private readonly shiftMs: number,
    private readonly source: MinuteSource,
  ) {
    this.firstMs = fullMinute(later(tapeAt(day.openMs, shiftMs), MINUTE_MS - 1))
    const lastMs = fullMinute(tapeAt(day.closeMs, shiftMs))
    const count = (lastMs - this.firstMs) / MINUTE_MS + 1
    this.prices = new Float64Array(count)
    this.volumes = new Float64Array(count)
  }

  /** The last full minute with trading up to an instant of the day or after it. */
  lastMs(atMs: TapeMs): TapeMs {
    return later(this.firstMs, this.place(atMs) * MINUTE_MS)
  }

  /** Thousandths. */
  priceAt(atMs: TapeMs): number {
    const place = this.place(atMs)
    if (place < this.known) return this.prices[place] as number
    const minuteMs = later(this.firstMs, place * MINUTE_MS)
    return this.source.price(minuteMs, this.part(minuteMs) as DayPart)
  }

  /** Shares traded since the opening. */
  volumeAt(atMs: TapeMs): number {
    return Math.floor(this.filled(this.place(atMs)).volumes[this.place(atMs)] as number)
  }

  /** Highest and lowest price from the opening to an instant. */
  range(atMs: TapeMs): { high: number; low: number } {
    const last = this.place(atMs)
    const { prices } = this.filled(last)
    let [high, low] = [prices[0] as number, prices[0] as number]
    for (let at = 1; at <= last; at++) {
      high = Math.max(high, prices[at] as number)
      low = Math.min(low, prices[at] as number)
    }
    return { high, low }
  }

  private place(atMs: TapeMs): number {
    const { pause } = this.day
    const shown = shownAt(atMs, this.shiftMs)
    const restsMs = pause && shown > pause.fromMs && shown < pause.toMs
    const tradedMs = restsMs ? tapeAt(pause.fromMs, this.shiftMs) : atMs
    const place = Math.floor((tradedMs - this.firstMs) / MINUTE_MS)
    return Math.min(Math.max(place, 0), this.prices.length - 1)
  }

  /** Filled only as far as read: later minutes may be in the future. */
  private filled(last: number): { prices: Float64Array; volumes: Float64Array } {
    const { prices, volumes, source } = this
    for (; this.known <= last; this.known++) {
      const at = this.known
      const [before, sum] = at === 0 ? [0, 0] : [prices[at - 1], volumes[at - 1]]
      prices[at] = before as number
      volumes[at] = sum as number
      const minuteMs = later(this.firstMs, at * MINUTE_MS)
      const part = this.part(minuteMs)
      if (part === null) continue
      prices[at] = source.price(minuteMs, part)
      const from = at === 0 ? (prices[at] as number) : (before as number)
      const shares = source.volume(part, this.minutes, from, prices[at] as number)
      volumes[at] = (sum as number) + shares
    }
    return { prices, volumes }
  }

  private get minutes(): number {
    return this.tradedMs / MINUTE_MS
  }

  private get tradedMs(): number {
    const { openMs, closeMs, pause } = this.day
    return closeMs - openMs - (pause ? pause.toMs - pause.fromMs : 0)
  }

  /** null in the break. */
  private part(minuteMs: TapeMs): DayPart | null {
    const { openMs, pause } = this.day
    const shown = shownAt(tapeMs(minuteMs), this.shiftMs)
    if (pause && shown > pause.fromMs && shown < pause.toMs) return null
    const rested = pause && shown >= pause.toMs ? pause.toMs - pause.fromMs : 0
    return (shown - openMs - rested) / this.tradedMs
  }
}

// Trading hours of stock exchanges, in shown time.

/** Region whose hours a stock follows. */
export type StockRegion = 'US' | 'HK'

/** A day on which an exchange trades. */
export interface TradingDay {
  /** In the exchange's own calendar. */
  number: DayNumber
  openMs: ShownMs
  closeMs: ShownMs
  /** Between the morning and the afternoon. */
  pause: { fromMs: ShownMs; toMs: ShownMs } | null
}

interface ExchangeHours {
  timeZone: string
  /** Minutes since midnight. */
  open: number
  close: number
  shortClose: number
  pause: readonly [from: number, to: number] | null
  holidays: (year: number) => ExchangeHolidays
}

const HOURS: Record<StockRegion, ExchangeHours> = {
  US: {
    timeZone: 'America/New_York',
    open: 570,
    close: 960,
    shortClose: 780,
    pause: null,
    holidays: newYorkHolidays,
  },
  HK: {
    timeZone: 'Asia/Hong_Kong',
    open: 570,
    close: 960,
    shortClose: 720,
    pause: [720, 780],
    holidays: hongKongHolidays,
  },
}

/** The trading day at an instant, or the last one before it. */
export function lastTradingDay(region: StockRegion, timeMs: ShownMs): TradingDay {
  // No time zone is a day ahead of UTC.
  for (let day = Math.floor(timeMs / DAY_MS) + 1; ; day--) {
    const found = tradingDay(region, day)
    if (found && found.openMs <= timeMs) return found
  }
}

/** The trading day before another. */
export function tradingDayBefore(region: StockRegion, { number }: TradingDay): TradingDay {
  for (let day = number - 1; ; day--) {
    const found = tradingDay(region, day)
    if (found) return found
  }
}

/** null on a day without trading. */
function tradingDay(region: StockRegion, number: DayNumber): TradingDay | null {
  const { timeZone, open, close, shortClose, pause, holidays } = HOURS[region]
  const { closed, short } = holidays(new Date(number * DAY_MS).getUTCFullYear())
  if (weekdayOf(number) > 4 || closed.has(number)) return null
  const midnightMs = number * DAY_MS - offsetMs(timeZone, number)
  const at = (minutes: number) => shownMs(midnightMs + minutes * MINUTE_MS)
  const isShort = short.has(number)
  return {
    number,
    openMs: at(open),
    closeMs: at(isShort ? shortClose : close),
    pause: isShort || !pause ? null : { fromMs: at(pause[0]), toMs: at(pause[1]) },
  }
}

/** Offset of a zone at noon of a day: it never changes during trading. */
function offsetMs(timeZone: string, number: DayNumber): number {
  const text = zoneNamed(timeZone).format(number * DAY_MS + DAY_MS / 2)
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? []
  const ahead = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return (sign === '-' ? -1 : 1) * ahead * MINUTE_MS
}

/** Formats made on first use: each loads data of its zone, which takes milliseconds. */
const ZONES = new Map<string, Intl.DateTimeFormat>()

function zoneNamed(timeZone: string): Intl.DateTimeFormat {
  const known = ZONES.get(timeZone)
  if (known) return known
  const zone = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  ZONES.set(timeZone, zone)
  return zone
}
