/** Figures of several coins: common moves, and turnover of each. */
import { type Bar, DAY_MS, dollarsOf, HOUR_MS, matching, returnsOf } from '../bars.ts'
import type { Observations } from '../observations.ts'
import { correlation } from '../statistics/correlation.ts'
import { rankExponent } from '../statistics/power-law.ts'
import { hours, LEADER } from './candle-figures.ts'
import type { Figure } from './figure.ts'

export const COIN_FIGURES: readonly Figure[] = [
  {
    id: 'btc-eth',
    title: 'correlation of 1h returns, BTC and ETH',
    wanted: { min: 0.75, max: 0.9 },
    held: { min: 0.6, max: 0.97 },
    form: 'number',
    of: (seen) => together(seen, LEADER, 'ETH'),
  },
  {
    id: 'correlation-spread',
    title: 'largest less smallest of such correlations of a coin with BTC',
    wanted: { min: 0.15, max: 0.7 },
    held: { min: 0.05, max: 0.9 },
    form: 'number',
    of: (seen) => {
      const all = coinsOf(seen)
        .slice(1)
        .map((coin) => together(seen, LEADER, coin))
      return Math.max(...all) - Math.min(...all)
    },
  },
  {
    id: 'stock-correlation',
    title: 'correlation of 1h returns, BTC and a perpetual on a stock',
    wanted: { min: 0, max: 0.45 },
    held: { min: -0.2, max: 0.6 },
    form: 'number',
    of: (seen) => together(seen, LEADER, stockOf(seen)),
  },
  {
    id: 'stock-session',
    title: "a stock's perpetual: variance of its returns in the session of its exchange",
    wanted: { min: 0.35, max: 0.85 },
    held: { min: 0.2, max: 0.98 },
    form: 'percent',
    of: (seen) => inSession(hours(seen, stockOf(seen))),
  },
  {
    id: 'leader-share',
    title: "BTC's part of the turnover of all perpetuals",
    wanted: { min: 0.3, max: 0.6 },
    held: { min: 0.2, max: 0.8 },
    form: 'percent',
    // A single coin has all of it, whatever its turnover.
    of: (seen) =>
      coinsOf(seen).length < 2
        ? Number.NaN
        : turnover(seen, LEADER) /
          coinsOf(seen).reduce((sum, coin) => sum + turnover(seen, coin), 0),
  },
  {
    id: 'turnover-rank',
    title: 'exponent by which turnover falls with the rank of the coin',
    wanted: { min: 0.9, max: 2.2 },
    held: { min: 0.7, max: 2.8 },
    form: 'number',
    of: (seen) =>
      coinsOf(seen).length < 4
        ? Number.NaN
        : rankExponent(coinsOf(seen).map((coin) => turnover(seen, coin))),
  },
]

/** Perpetuals on coins, not on stocks. */
function coinsOf({ minutes, stocks }: Observations): string[] {
  return [...minutes.keys()].filter((coin) => !stocks.has(coin))
}

const stockOf = ({ stocks }: Observations): string => [...stocks][0] ?? ''

function together(seen: Observations, one: string, other: string): number {
  const [some, others] = matching(hours(seen, one), hours(seen, other))
  return correlation(returnsOf(some), returnsOf(others))
}

function turnover(seen: Observations, coin: string): number {
  return hours(seen, coin).reduce((sum, bar) => sum + dollarsOf(bar), 0)
}

/** New York, in winter: the hours from 14 to 21 contain the session. */
function inSession(bars: readonly Bar[]): number {
  const squares = returnsOf(bars).map((move) => move ** 2)
  const isOpen = ({ timeMs }: Bar) => {
    const hour = Math.floor(timeMs / HOUR_MS) % 24
    return hour >= 14 && hour < 21 && (Math.floor(timeMs / DAY_MS) + 3) % 7 < 5
  }
  const inside = squares.filter((_, at) => isOpen(bars[at] as Bar))
  return inside.reduce((a, b) => a + b, 0) / squares.reduce((a, b) => a + b, 0)
}
