/** Fear and greed: one value a day, from how coins did over days and weeks before it. */
import { DAY_MS } from '../../../clock/durations.ts'
import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import { ratio } from '../../../decimal/quantity.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { World } from '../../world/world.ts'
import type { IndexFormula, IndexMember } from './index-formula.ts'

/** How much the return over so many days counts. */
const MOMENTUM: readonly (readonly [days: number, weight: number])[] = [
  [1, 0.15],
  [3, 0.25],
  [7, 0.35],
  [14, 0.25],
]
const WEEK = 7
/** So far back all coins count. */
const DAYS_OF_ALL = 3
/** Days that define how much a price usually moves, and what is supposed while few are known. */
const USUAL_DAYS = 14
const SUPPOSED_MOVE = 0.022
const SUPPOSED_DAYS = 3
/** Most points for momentum, for all coins rising, for twice the volatility. */
const BY_MOMENTUM = 42
const BY_BREADTH = 8
const BY_VOLATILITY = 8
const NEUTRAL = 50
/** Weights of the days up to the one whose value it is: a mood lasts. */
const MEMORY = [0.28, 0.22, 0.17, 0.13, 0.11, 0.09]

/** 0 to 100: falls and unrest are fear, rises are greed. */
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
      // What is not known is neutral.
      const mood = MEMORY.reduce((sum, weight, days) => {
        return sum + weight * (moodAt(world, coins, later(atMs, -days * DAY_MS)) ?? NEUTRAL)
      }, 0)
      return 100 * Math.round(Math.min(Math.max(mood, 0), 100))
    },
    read: (atMs) => readDays(world, coins, atMs),
  }
}

/** A day of a coin a slice: those of the leading coin go back the furthest. */
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

/** Of one day without those before it; null without a day of prices. */
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

/** Standard deviation about zero of daily returns; null without a day. */
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
 * Half of the leading coin's and half of all coins' in equal parts; over a week or more the leading
 * coin's alone, for which few days of bars are read.
 */
function marketReturn(world: World, coins: MoodCoins, atMs: TapeMs, days: number): number | null {
  const leading = returnOf(world, coins.leader, atMs, days * DAY_MS)
  if (leading === null || days >= WEEK) return leading
  const all = coins.members.flatMap((one) => returnOf(world, one, atMs, days * DAY_MS) ?? [])
  return (leading + all.reduce((sum, one) => sum + one, 0) / Math.max(all.length, 1)) / 2
}

/** Change of the last price over a span; null without a price before. */
function returnOf(world: World, { instrument }: IndexMember, atMs: TapeMs, spanMs: number) {
  // One price a day is asked for, so hours of minutes are not read.
  const trades = tradeHoursOf(world)
  const before = trades.pxBefore(instrument.id, later(atMs, 1 - spanMs))
  const now = trades.pxBefore(instrument.id, later(atMs, 1))
  return before === null || now === null ? null : ratio(now, before) - 1
}
