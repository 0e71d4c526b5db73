import {
  add,
  type FundingIndex,
  rate as hourly,
  type Px,
  px as price,
  type Rate,
  raw,
  ZERO,
} from '../../../decimal/quantity.ts'
import type { RandomSource } from '../../../random/random-source.ts'
import { indexStep } from '../../accounting/funding.ts'
import type { MarketState } from '../market/market-state.ts'
import { HISTORY_MS, type MarketPast } from './past.ts'

/** One hour's funding of the history. */
export interface FundingHour {
  timeMs: number
  rate: Rate
  premium: Rate
  oracle: Px
  fundingIndex: FundingIndex
}

/** The price of an instrument before the tape. */
export interface PricePath {
  market: MarketState
  past: MarketPast
  /** Price at each instant of `grid`, price units. */
  px: Float64Array
  /** Perpetuals only. */
  funding: FundingHour[]
}

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Steps of the history: short near the tape, long far away; each up to so long before it. */
const STEPS = [
  { untilMs: HOUR_MS, stepMs: 10_000 },
  { untilMs: DAY_MS, stepMs: 60_000 },
  { untilMs: 7 * DAY_MS, stepMs: 300_000 },
  { untilMs: HISTORY_MS, stepMs: 900_000 },
]

/** The instants of the history, rising; the last one lies one step before the tape. */
export function historyGrid(startMs: number): number[] {
  const times: number[] = []
  let back = 0
  for (const { untilMs, stepMs } of STEPS)
    while (back + stepMs <= untilMs) {
      back += stepMs
      times.push(startMs - back)
    }
  // The first quarter of an hour is left for the agents' first deposits.
  return times.reverse().slice(1)
}

/** What the past says about prices at the instants of the grid, and the funding that follows. */
export function pricePaths(
  pasts: readonly MarketPast[],
  grid: readonly number[],
  random: RandomSource,
): PricePath[] {
  return pasts.map((past) => {
    const { market } = past
    const px = Float64Array.from(grid, (timeMs) => raw(past.pxAt(timeMs)))
    const path = { market, past, px, funding: [] }
    if (!market.isPerp) return path
    return { ...path, funding: fundingHours(path, grid, random.fork(market.row.coin)) }
  })
}

function fundingHours(
  { market, px }: PricePath,
  grid: readonly number[],
  random: RandomSource,
): FundingHour[] {
  const list: FundingHour[] = []
  const first = Math.ceil((grid[0] ?? 0) / HOUR_MS) * HOUR_MS
  const last = grid.at(-1) ?? 0
  let fundingIndex: FundingIndex = ZERO
  let [level, at] = [0, 0]
  for (let timeMs = first; timeMs <= last; timeMs += HOUR_MS) {
    while ((grid[at + 1] ?? Number.POSITIVE_INFINITY) <= timeMs) at++
    level = level * 0.96 + 0.28 * random.normal()
    // The venue's rate sits at 0.00125 % an hour until the premium leaves a band of 0.05 %.
    const premium = Math.round(3.2e-4 * level * 1e10) + 0
    const clamped = Math.max(-5_000_000, Math.min(5_000_000, 1_000_000 - premium))
    const rate = hourly(Math.round((premium + clamped) / 8))
    const oracle = price(px[at] ?? raw(market.px))
    fundingIndex = add(fundingIndex, indexStep(rate, oracle, market.row))
    list.push({ timeMs, rate, premium: hourly(premium), oracle, fundingIndex })
  }
  return list
}
