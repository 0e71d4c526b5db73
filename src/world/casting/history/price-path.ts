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
  /** Price at each instant of `grid`, price units. */
  px: Float64Array
  /** Perpetuals only. */
  funding: FundingHour[]
}

export const HISTORY_MS = 30 * 86_400_000
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

/**
 * Prices of the last 30 days, a random walk backwards from each instrument's first price: a market
 * factor, a motion of each instrument's own, volatility regimes, and fat tails.
 */
export function pricePaths(
  markets: readonly MarketState[],
  grid: readonly number[],
  startMs: number,
  random: RandomSource,
): PricePath[] {
  const marketRandom = random.fork('market')
  const walkers = markets.map(
    (market) => new PathWalker(market, markets, random.fork(market.row.coin)),
  )
  const paths = markets.map((market) => ({
    market,
    px: new Float64Array(grid.length),
    funding: [],
  }))
  const regime = new VolatilityRegime(marketRandom)
  for (let at = grid.length - 1; at >= 0; at--) {
    const days = ((grid[at + 1] ?? startMs) - (grid[at] ?? startMs)) / DAY_MS
    const shared = fatTailedDraw(marketRandom) * regime.step(days) * Math.sqrt(days)
    for (const walker of walkers) walker.step(shared, days)
    for (const [place, walker] of walkers.entries()) {
      const path = paths[place]
      if (path) path.px[at] = walker.px(walkers)
    }
  }
  return paths.map((path) =>
    path.market.isPerp
      ? { ...path, funding: fundingHours(path, grid, random.fork('funding')) }
      : path,
  )
}

/** Volatility that stays high or low for some hours. */
class VolatilityRegime {
  private level = 0
  constructor(private readonly random: RandomSource) {}

  step(days: number): number {
    const decay = Math.exp(-days * 2.5)
    this.level = this.level * decay + Math.sqrt(1 - decay * decay) * 0.45 * this.random.normal()
    return Math.exp(this.level - 0.1)
  }
}

/** One instrument's random walk back in time. */
class PathWalker {
  private log = 0
  private readonly regime: VolatilityRegime
  private readonly daily: number
  private readonly share: number
  /** A spot pair keeps close to the perpetual on the same asset. */
  private readonly leader: number

  constructor(
    private readonly market: MarketState,
    markets: readonly MarketState[],
    private readonly random: RandomSource,
  ) {
    this.regime = new VolatilityRegime(random)
    const { kind, base, dex, maxLeverage } = market.row
    // The venue grants high leverage to what moves little, so its limit implies the volatility.
    this.daily = kind === 'spot' ? 0.05 : Math.min(0.055, 0.011 + 0.45 / Math.max(maxLeverage, 8))
    if (dex !== '') this.daily *= 0.45
    this.share = dex === '' ? 0.8 : 0.3
    this.leader =
      kind === 'spot'
        ? markets.findIndex(({ row }) => row.base === base && row.kind === 'perp')
        : -1
  }

  step(shared: number, days: number): void {
    const own = fatTailedDraw(this.random) * this.regime.step(days) * Math.sqrt(days)
    if (this.leader >= 0) this.log = this.log * Math.exp(-days * 20) + own * 0.002
    else this.log += this.daily * (this.share * shared + Math.sqrt(1 - this.share ** 2) * own)
  }

  px(walkers: readonly PathWalker[]): number {
    const leader = walkers[this.leader]
    const log = this.log + (leader ? leader.log : 0)
    const firstPx = raw(this.market.row.firstPx ?? price(1))
    return raw(this.market.onTick(firstPx * Math.exp(-log)))
  }
}

/** A draw with fat tails and unit variance or near it. */
function fatTailedDraw(random: RandomSource): number {
  return random.normal() * Math.exp(0.5 * random.normal() - 0.25)
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
