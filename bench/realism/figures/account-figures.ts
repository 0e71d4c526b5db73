/** Figures of accounts, their positions and their large orders. */
import { DAY_MS } from '../bars.ts'
import type { Account, Observations, OpenPosition, Reading } from '../observations.ts'
import { correlation, pairwiseCorrelations } from '../statistics/correlation.ts'
import { deviation } from '../statistics/moments.ts'
import { tailExponent } from '../statistics/power-law.ts'
import { median, partOf, quantile } from '../statistics/quantiles.ts'
import type { Figure } from './figure.ts'

/** Minimum number of closed positions for a win rate. */
const CLOSED_MIN = 5
/** Maximum number of accounts compared: pairs grow quadratically. */
const COMPARED = 80

export const ACCOUNT_FIGURES: readonly Figure[] = [
  {
    id: 'near-liquidation',
    title: 'notional of positions within 5 % of their liquidation',
    wanted: { min: 0.03, max: 0.15 },
    held: { max: 0.4 },
    form: 'percent',
    of: ({ positions }) =>
      worth(positions.filter((one) => Math.abs((one.liquidationRatio ?? 9) - 1) < 0.05)) /
      worth(positions),
  },
  {
    id: 'far-shorts',
    title: 'short positions that are liquidated above twice the price, or never',
    wanted: { max: 0.15 },
    held: { max: 0.9 },
    form: 'percent',
    of: ({ positions }) =>
      partOf(
        positions.filter(({ isLong }) => !isLong),
        ({ liquidationRatio }) => (liquidationRatio ?? Infinity) > 2,
      ),
  },
  {
    id: 'isolated',
    title: 'positions on isolated margin',
    wanted: { min: 0.1, max: 0.5 },
    held: { min: 0.05, max: 0.6 },
    form: 'percent',
    of: ({ positions }) => partOf(positions, ({ isIsolated }) => isIsolated),
  },
  {
    id: 'same-coins',
    title: 'holders of several coins who hold the most frequent set of them',
    wanted: { max: 0.15 },
    held: { max: 0.2 },
    form: 'percent',
    of: ({ positions }) => {
      const holders = [...Map.groupBy(positions, ({ address }) => address).values()]
      const sets = holders
        .filter((held) => held.length > 1)
        .map((held) =>
          held
            .map(({ coin }) => coin)
            .sort()
            .join(),
        )
      return (
        Math.max(
          ...Map.groupBy(sets, (set) => set)
            .values()
            .map((same) => same.length),
        ) / sets.length
      )
    },
  },
  {
    id: 'median-position',
    title: 'value of a position, median of tracked accounts',
    wanted: { max: 1_000_000 },
    held: { max: 1_500_000 },
    form: 'dollars',
    of: ({ positions }) => median(positions.map(({ value }) => value)),
  },
  {
    id: 'winners',
    title: 'accounts with a profit of all time',
    wanted: { min: 0.3, max: 0.55 },
    held: { min: 0.2, max: 0.65 },
    form: 'percent',
    of: (seen) => partOf(active(seen), ({ pnl }) => pnl > 0),
  },
  {
    id: 'gains-of-few',
    title: "the best tenth's part of all profits",
    wanted: { min: 0.4, max: 0.98 },
    held: { min: 0.2, max: 0.995 },
    form: 'percent',
    of: (seen) => {
      const gains = active(seen)
        .map(({ pnl }) => Math.max(0, pnl))
        .sort((a, b) => b - a)
      const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
      return sum(gains.slice(0, Math.ceil(gains.length / 10))) / sum(gains)
    },
  },
  {
    id: 'win-rate-spread',
    title: 'win rates of 30 days: 9th tenth less 1st',
    wanted: { min: 0.25, max: 0.8 },
    held: { min: 0.2, max: 1 },
    form: 'percent',
    of: (seen) => quantile(winRates(seen), 0.9) - quantile(winRates(seen), 0.1),
  },
  {
    id: 'win-rate-middle',
    title: 'win rates of 30 days: median',
    wanted: { min: 0.35, max: 0.65 },
    held: { min: 0.2, max: 0.8 },
    form: 'percent',
    of: (seen) => median(winRates(seen)),
  },
  {
    id: 'win-rate-profit',
    title: 'correlation of the ranks of accounts by win rate and by profit',
    wanted: { min: -0.1, max: 0.5 },
    held: { min: -0.3, max: 0.6 },
    form: 'number',
    of: (seen) => {
      const rated = seen.accounts.filter(({ closed }) => closed >= CLOSED_MIN)
      return correlation(
        ranksOf(rated.map(({ winRate }) => winRate)),
        ranksOf(rated.map(({ pnl }) => pnl)),
      )
    },
  },
  {
    id: 'value-tail',
    title: 'account values: exponent of the tail (largest fifth)',
    wanted: { min: 0.8, max: 2 },
    held: { min: 0.6, max: 4 },
    form: 'number',
    of: ({ accounts }) =>
      tailExponent(
        accounts.map(({ value }) => value),
        0.2,
      ),
  },
  {
    id: 'days-alike',
    title: 'daily PnL of two accounts: median correlation',
    wanted: { min: -0.1, max: 0.2 },
    held: { min: -0.2, max: 0.4 },
    form: 'number',
    of: (seen) => median(dailyCorrelations(seen)),
  },
  {
    id: 'days-spread',
    title: 'daily PnL of two accounts: deviation of the correlations',
    wanted: { min: 0.15, max: 0.7 },
    held: { min: 0.05, max: 1 },
    form: 'number',
    of: (seen) => deviation(dailyCorrelations(seen)),
  },
  {
    id: 'sharpe',
    title: 'Sharpe ratio of 30 days: largest absolute value',
    wanted: { max: 15 },
    held: { max: 25 },
    form: 'number',
    of: ({ accounts }) =>
      accounts.length === 0
        ? Number.NaN
        : Math.max(...accounts.map(({ sharpe }) => Math.abs(sharpe ?? 0))),
  },
  {
    id: 'slices',
    source: 'd',
    title: 'seconds between slices of a TWAP, median',
    wanted: { min: 25, max: 40 },
    held: { min: 20, max: 60 },
    form: 'seconds',
    of: ({ sliceGapsS }) => median(sliceGapsS),
  },
]

const worth = (positions: readonly OpenPosition[]): number =>
  positions.reduce((sum, { value }) => sum + value, 0)

const active = ({ accounts }: Observations): Account[] => accounts.filter(({ pnl }) => pnl !== 0)

const winRates = ({ accounts }: Observations): number[] =>
  accounts.filter(({ closed }) => closed >= CLOSED_MIN).map(({ winRate }) => winRate)

/** Ranks of values. */
function ranksOf(values: readonly number[]): number[] {
  const ranks = values.map(() => 0)
  const places = values.map((_, at) => at).sort((a, b) => order(values, a) - order(values, b))
  for (const [rank, at] of places.entries()) ranks[at] = rank
  return ranks
}

const order = (values: readonly number[], at: number): number => values[at] as number

function dailyCorrelations(seen: Observations): number[] {
  const days = active(seen)
    .map(({ curve }) => dailyOf(curve))
    .filter((daily) => partOf(daily, (pnl) => pnl !== 0) > 0.5)
  return pairwiseCorrelations(days.slice(0, COMPARED))
}

/** PnL of each day of a curve. */
function dailyOf(curve: readonly Reading[]): number[] {
  const ends = curve.filter(
    ({ timeMs }, at) =>
      Math.floor(timeMs / DAY_MS) !== Math.floor((curve[at + 1]?.timeMs ?? 0) / DAY_MS),
  )
  return ends.slice(1).map(({ value }, at) => value - (ends[at] as Reading).value)
}
