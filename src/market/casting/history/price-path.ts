import { DAY_MS, HOUR_MS } from '../../../clock/instant.ts'
import {
  add,
  type FundingIndex,
  type Px,
  type Rate,
  rate,
  raw,
  subtract,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { indexStep } from '../../accounting/funding.ts'
import { type PremiumTraits, premiumPaths, trendsOf } from '../../bars/level-path.ts'
import { premiumSpread } from '../../bars/market-regimes.ts'
import type { MarketState } from '../market/market-state.ts'
import { HISTORY_MS, type MarketPast, minuteSigmaOf, traitsOf } from './past.ts'

/** One hour's funding of the history. */
export interface FundingHour {
  timeMs: number
  rate: Rate
  premium: Rate
  oracle: Px
  fundingIndex: FundingIndex
}

/** Price of an instrument before the tape. */
export interface PricePath {
  market: MarketState
  past: MarketPast
  /** Price at each instant of `grid`, price units. */
  px: Float64Array
  /** Perpetuals only. */
  funding: FundingHour[]
}

/** Steps of the history: short near the tape, long far away; each with its reach before it. */
const STEPS = [
  { untilMs: HOUR_MS, stepMs: 10_000 },
  { untilMs: DAY_MS, stepMs: 60_000 },
  { untilMs: 7 * DAY_MS, stepMs: 300_000 },
  { untilMs: Number.POSITIVE_INFINITY, stepMs: 900_000 },
]

/** Instants of the history, ascending; the last one lies one step before the tape. */
export function historyGrid(startMs: number, historyMs: number = HISTORY_MS): number[] {
  const times: number[] = []
  let back = 0
  for (const { untilMs, stepMs } of STEPS)
    while (back + stepMs <= Math.min(untilMs, historyMs)) {
      back += stepMs
      times.push(startMs - back)
    }
  // The first quarter of an hour is left for the agents' first deposits.
  return times.reverse().slice(1)
}

/** Prices of the past at the grid's instants, and the funding that follows. */
export function pricePaths(
  pasts: readonly MarketPast[],
  grid: readonly number[],
  random: RandomSource,
): PricePath[] {
  const hours = fullHours(grid)
  const perps = pasts.filter(({ market }) => market.isPerp)
  const traits = perps.map((past) => premiumTraits(past, hours))
  const premiums = premiumPaths(traits, hours.length, random.fork('premiums'))
  return pasts.map((past) => {
    const { market } = past
    const px = Float64Array.from(grid, (timeMs) => raw(past.pxAt(timeMs)))
    const premium = premiums[perps.indexOf(past)]
    return { market, past, px, funding: premium ? fundingHours(past, hours, premium) : [] }
  })
}

function fullHours(grid: readonly number[]): number[] {
  const first = Math.ceil((grid[0] ?? 0) / HOUR_MS) * HOUR_MS
  const count = Math.floor(((grid.at(-1) ?? 0) - first) / HOUR_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, at) => first + at * HOUR_MS)
}

function premiumTraits(past: MarketPast, hours: readonly number[]): PremiumTraits {
  const { row, survey } = past.market
  const { coin, dailyVolatility } = traitsOf(row)
  const minutes = trendsOf(past.returns(), minuteSigmaOf(row))
  return {
    coin,
    endPremium: raw(survey.premium ?? USUAL_PREMIUM) / 1e10,
    spread: premiumSpread(dailyVolatility),
    trends: Float64Array.from(hours, (timeMs) => minutes[past.minuteOf(timeMs)] as number),
    imbalances: Float64Array.from(
      hours,
      (timeMs) => past.crowd?.imbalance[past.minuteOf(timeMs)] ?? 0,
    ),
  }
}

/** By the venue's rule: an eighth of the premium and of an interest rate, clamped to a band. */
function hourlyRate(premium: Rate): Rate {
  const interest = raw(subtract(USUAL_PREMIUM, premium))
  return rate(Math.round((raw(premium) + Math.max(-BAND, Math.min(BAND, interest))) / 8) + 0)
}

const USUAL_PREMIUM = rate(1_000_000)
const BAND = 5_000_000

function fundingHours(past: MarketPast, hours: number[], premiums: Float64Array): FundingHour[] {
  const { market } = past
  let fundingIndex: FundingIndex = ZERO
  return hours.map((timeMs, at) => {
    const part = premiums[at] as number
    const premium = rate(Math.round(part * 1e10) + 0)
    const oracle = market.onTick(raw(past.pxAt(timeMs)) / (1 + part))
    const hour = { timeMs, rate: hourlyRate(premium), premium, oracle }
    fundingIndex = add(fundingIndex, indexStep(hour.rate, oracle, market.row))
    return { ...hour, fundingIndex }
  })
}
