/** Fear and greed: one value a day, from returns over days and weeks before it. */
import { DAY_MS, HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import { compare, ratio } from '../../../decimal/quantity.ts'
import { fullMinute, minutePricesOf } from '../../rows/mark-prices.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import { Cache, perWorld } from '../../world/cache.ts'
import type { World } from '../../world/world.ts'
import type { IndexFormula, IndexMember } from './index-formulas.ts'

/** Weights of returns over so many days. */
const MOMENTUM: readonly (readonly [days: number, weight: number])[] = [
  [1, 0.15],
  [3, 0.25],
  [7, 0.35],
  [14, 0.25],
]
const WEEK = 7
/** Number of days over which all coins count. */
const DAYS_OF_ALL = 3
/** Days that define a usual move, and the default while few are known. */
const USUAL_DAYS = 14
const SUPPOSED_MOVE = 0.022
const SUPPOSED_DAYS = 3
/** Most points for momentum, for breadth, and for twice the volatility. */
const BY_MOMENTUM = 42
const BY_BREADTH = 8
const BY_VOLATILITY = 8
const NEUTRAL = 50
/** Weights of the last days, the newest first: sentiment persists. */
const MEMORY = [0.28, 0.22, 0.17, 0.13, 0.11, 0.09]

/** Index from 0 to 100: falls and volatility are fear, rises are greed. */
export function greedIndex(
  world: World,
  members: readonly IndexMember[],
  btc: IndexMember | undefined,
): IndexFormula | null {
  const leader = btc ?? members[0]
  if (!leader) return null
  const coins = { leader, members }
  return {
    isMoney: false,
    isDaily: true,
    decimals: 0,
    members: members.map(({ instrument }) => instrument),
    value: (atMs) => {
      if (moodAt(world, coins, atMs) === null) return null
      // Unknown days are neutral.
      const mood = MEMORY.reduce((sum, weight, days) => {
        return sum + weight * (moodAt(world, coins, later(atMs, -days * DAY_MS)) ?? NEUTRAL)
      }, 0)
      return 100 * Math.round(Math.min(Math.max(mood, 0), 100))
    },
    read: (atMs) => readDays(world, coins, atMs),
  }
}

/** Reads a day of a coin a slice: those of the leading coin go back the furthest. */
function* readDays(world: World, { leader, members }: MoodCoins, atMs: TapeMs): Slices<void> {
  const trades = tradeHoursOf(world)
  for (let day = 0; day < MEMORY.length + USUAL_DAYS; day++)
    for (const { instrument } of day < MEMORY.length + DAYS_OF_ALL ? members : [leader]) {
      trades.pxBefore(instrument.id, later(atMs, 1 - day * DAY_MS))
      yield
    }
}

interface MoodCoins {
  leader: IndexMember
  members: readonly IndexMember[]
}

/** Sentiment of one day alone; null without a day of prices. */
function moodAt(world: World, { leader, members }: MoodCoins, atMs: TapeMs): number | null {
  const usual = usualMove(world, leader, atMs, USUAL_DAYS)
  const recent = usualMove(world, leader, atMs, 3)
  if (usual === null || recent === null) return null
  const momentum = MOMENTUM.reduce((sum, [days, weight]) => {
    const moved = marketReturn(world, { leader, members }, atMs, days) ?? 0
    return sum + (weight * moved) / (usual * Math.sqrt(days))
  }, 0)
  const rising = members.filter((one) => (returnOf(world, one, atMs, DAY_MS) ?? 0) > 0).length
  const breadth = (2 * rising) / members.length - 1
  return (
    NEUTRAL +
    BY_MOMENTUM * Math.tanh(momentum / 2) +
    BY_BREADTH * breadth -
    BY_VOLATILITY * Math.log2(recent / usual)
  )
}

/** Standard deviation of daily returns around zero; null without a day. */
function usualMove(world: World, of: IndexMember, atMs: TapeMs, days: number): number | null {
  let [squares, count] = [SUPPOSED_DAYS * SUPPOSED_MOVE ** 2, 0]
  for (let day = 0; day < days; day++) {
    const moved = returnOf(world, of, later(atMs, -day * DAY_MS), DAY_MS)
    if (moved === null) break
    squares += moved * moved
    count++
  }
  return count === 0 ? null : Math.sqrt(squares / (count + SUPPOSED_DAYS))
}

/**
 * Equal parts of the leading coin's return and the mean of all coins; from a week on the leading
 * coin's alone, which needs few days of bars.
 */
function marketReturn(world: World, coins: MoodCoins, atMs: TapeMs, days: number): number | null {
  const leading = returnOf(world, coins.leader, atMs, days * DAY_MS)
  if (leading === null || days >= WEEK) return leading
  const all = coins.members.flatMap((one) => returnOf(world, one, atMs, days * DAY_MS) ?? [])
  return (leading + all.reduce((sum, one) => sum + one, 0) / Math.max(all.length, 1)) / 2
}

/** Change of the last price over a span; null without an earlier price. */
function returnOf(world: World, { instrument }: IndexMember, atMs: TapeMs, spanMs: number) {
  // Reads one price a day, so hours of minutes are not needed.
  const trades = tradeHoursOf(world)
  const before = trades.pxBefore(instrument.id, later(atMs, 1 - spanMs))
  const now = trades.pxBefore(instrument.id, later(atMs, 1))
  return before === null || now === null ? null : ratio(now, before) - 1
}

// The change of an index over 24 hours.

/** Values in hundredths; numbers of members that rose and fell. */
export interface IndexDay {
  open: number
  high: number
  low: number
  close: number
  up: number
  down: number
}

/** Values per slice. */
const SLICE_MS = 15 * MINUTE_MS

/**
 * The 24 hours up to the last full minute; for a daily index, up to the last shown midnight. null
 * while the index has no value.
 */
export function* indexDayOf(
  world: World,
  key: string,
  formula: IndexFormula,
  { atMs, shiftMs }: Moment,
): Slices<IndexDay | null> {
  const nowMs = fullMinute(formula.isDaily ? wholeStep(atMs, shiftMs, DAY_MS) : atMs)
  const stepMs = formula.isDaily ? DAY_MS : MINUTE_MS
  const values = indexValuesOf(world)
  const beganMs = later(nowMs, -DAY_MS)
  for (const readMs of [nowMs, beganMs]) if (formula.read) yield* formula.read(readMs)
  const close = values.at(key, formula, nowMs)
  if (close === null) return null
  let [open, high, low]: [number | null, number, number] = [null, close, close]
  for (let minuteMs = beganMs; minuteMs < nowMs; minuteMs = later(minuteMs, stepMs)) {
    if (minuteMs % SLICE_MS === 0) yield
    const value = values.at(key, formula, minuteMs)
    if (value === null) continue
    open ??= value
    if (value > high) high = value
    if (value < low) low = value
  }
  const prices = minutePricesOf(world)
  const ways = formula.members.map(({ id }) => {
    const [now, before] = [prices.at(id, nowMs), prices.at(id, beganMs)]
    return now === null || before === null ? 0 : compare(now, before)
  })
  const up = ways.filter((way) => way > 0).length
  const down = ways.filter((way) => way < 0).length
  return { open: open ?? close, high, low, close, up, down }
}

/** Hours kept in memory, half a kilobyte each. */
const CACHE_LIMIT = 5_000

/** Values by index and minute, each computed once. */
const indexValuesOf = perWorld(() => {
  const hours = new Cache<string, Float64Array>(CACHE_LIMIT)
  return {
    at(key: string, formula: IndexFormula, minuteMs: TapeMs): number | null {
      const startMs = tapeMs(Math.floor(minuteMs / HOUR_MS) * HOUR_MS)
      const hour = hours.get(key + startMs, unknownHour)
      const place = (minuteMs - startMs) / MINUTE_MS
      const known = hour[place] as number
      if (known >= 0) return known
      const value = known === NO_VALUE ? null : formula.value(minuteMs)
      hour[place] = value ?? NO_VALUE
      return value
    },
  }
})

const NOT_READ = -1
const NO_VALUE = -2

const unknownHour = () => new Float64Array(60).fill(NOT_READ)
