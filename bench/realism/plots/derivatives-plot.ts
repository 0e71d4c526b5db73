/** A month of funding, open interest, liquidations and accounts. */

import {
  dollarText,
  drawing,
  framed,
  type Panel,
  plainText,
} from '../../../src/server/commands/drawing/panel.ts'
import { DAY_MS, HOUR_MS } from '../bars.ts'
import { LEADER } from '../figures/candle-figures.ts'
import type { Closings, Observations, Reading } from '../observations.ts'
import { mean } from '../statistics/moments.ts'
import { closingColumns, legend, line, STYLE } from './marks.ts'

const [WIDTH, HEIGHT] = [960, 760]
const FUNDED = 4
const ACCOUNTS = 8
const CLOSINGS_STEP_MS = 2 * HOUR_MS

/** Positions over the month, for a world or a recording. */
export function derivativesPlot(title: string, seen: Observations): string {
  return drawing(
    title,
    { width: WIDTH, height: HEIGHT },
    [
      funding(area(46, 150), seen),
      interest(area(240, 130), seen),
      liquidations(area(414, 130), seen),
      accounts(area(588, 146), seen),
    ],
    STYLE,
  )
}

const area = (y: number, height: number): Panel => ({ x: 74, y, width: WIDTH - 90, height })

function month({ startMs, endMs }: Observations) {
  return { fromMs: startMs - 30 * DAY_MS, toMs: endMs }
}

function funding(panel: Panel, seen: Observations): string {
  const coins = [...seen.funding.keys()].slice(0, FUNDED)
  const lines = coins.map((coin) =>
    (seen.funding.get(coin) ?? []).map(({ timeMs, value }) => ({ timeMs, value: value * 1e4 })),
  )
  // Other exchanges charge every eight hours.
  const theirs = (seen.elsewhere?.funding ?? []).map(({ timeMs, value }) => ({
    timeMs,
    value: (value * 1e4) / 8,
  }))
  const names = [...coins, `${LEADER} on another exchange / 8`]
  return lined(panel, 'funding rate an hour, basis points', seen, [...lines, theirs], names)
}

function interest(panel: Panel, seen: Observations): string {
  const coins = [...seen.interest.keys()].slice(0, 5)
  const lines = coins.map((coin) => {
    const readings = seen.interest.get(coin) ?? []
    const usual = mean(readings.map(({ value }) => value))
    return readings.map(({ timeMs, value }) => ({ timeMs, value: (100 * value) / usual }))
  })
  return lined(panel, 'open interest in the coin, its mean is 100', seen, lines, coins, 100)
}

function lined(
  panel: Panel,
  title: string,
  seen: Observations,
  lines: readonly Reading[][],
  names: readonly string[],
  /** A value that the scale must include. */
  base = 0,
): string {
  const values = lines.flat().map(({ value }) => value)
  const [low, high] = [Math.min(base, ...values), Math.max(base, ...values)]
  const extent = { ...month(seen), low, high }
  const { scales, frame } = framed(panel, title, extent, plainText)
  const drawn = lines.map((one, at) =>
    line(
      one.filter(({ timeMs }) => timeMs >= extent.fromMs),
      scales,
      at,
    ),
  )
  return [frame, legend([panel.x + panel.width, panel.y - 5], names), ...drawn].join('\n')
}

function liquidations(panel: Panel, seen: Observations): string {
  const sums = summed([...seen.closings.values()].flat())
  const [most, least] = [
    Math.max(1, ...sums.map(({ long }) => long)),
    Math.min(0, ...sums.map(({ short }) => -short)),
  ]
  const extent = { ...month(seen), low: least, high: most }
  const title = 'liquidations of 2 hours, all coins, dollars: long positions up, short ones down'
  const { scales, frame } = framed(panel, title, extent, dollarText)
  return [frame, closingColumns(sums, scales)].join('\n')
}

function summed(closings: readonly Closings[]): Closings[] {
  const steps = new Map<number, Closings>()
  for (const { timeMs, long, short } of closings) {
    const at = Math.floor(timeMs / CLOSINGS_STEP_MS) * CLOSINGS_STEP_MS
    const sum = steps.get(at) ?? { timeMs: at, long: 0, short: 0 }
    steps.set(at, { timeMs: at, long: sum.long + long, short: sum.short + short })
  }
  return [...steps.values()].sort((a, b) => a.timeMs - b.timeMs)
}

/** PnL of the busiest accounts, each relative to its own maximum distance from 0. */
function accounts(panel: Panel, seen: Observations): string {
  const busiest = seen.accounts.toSorted((a, b) => b.closed - a.closed).slice(0, ACCOUNTS)
  const lines = busiest.map(({ curve }) => {
    const most = Math.max(...curve.map(({ value }) => Math.abs(value))) || 1
    return curve.map(({ timeMs, value }) => ({ timeMs, value: value / most }))
  })
  const extent = { ...month(seen), low: -1, high: 1 }
  const title = 'PnL of the eight accounts that closed most positions, each over its own extreme'
  const { scales, frame } = framed(panel, title, extent, plainText)
  return [frame, ...lines.map((one, at) => line(one, scales, at))].join('\n')
}
