/** When stock exchanges trade, in the time that clients are shown. */
import { DAY_MS, MINUTE_MS } from '../../../clock/durations.ts'
import { type ShownMs, shownMs } from '../../../clock/instant.ts'
import {
  type DayNumber,
  type ExchangeHolidays,
  hongKongHolidays,
  newYorkHolidays,
  weekdayOf,
} from './exchange-holidays.ts'

/** Whose hours a stock keeps. */
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

/** The day that is traded at an instant, or the last one before it. */
export function lastTradingDay(region: StockRegion, timeMs: ShownMs): TradingDay {
  // No place on earth is a day ahead of universal time.
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

/** null when the exchange rests. */
export function tradingDay(region: StockRegion, number: DayNumber): TradingDay | null {
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

/** How far a zone's clock is ahead at noon of a day: it is never changed while shares trade. */
function offsetMs(timeZone: string, number: DayNumber): number {
  const text = ZONES[timeZone]?.format(number * DAY_MS + DAY_MS / 2) ?? ''
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(text) ?? []
  const ahead = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return (sign === '-' ? -1 : 1) * ahead * MINUTE_MS
}

const ZONES: Record<string, Intl.DateTimeFormat> = Object.fromEntries(
  Object.values(HOURS).map(({ timeZone }) => [
    timeZone,
    new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }),
  ]),
)
