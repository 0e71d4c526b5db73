/** Figures of single trades and of books. */
import type { BookTop, Observations, Print } from '../observations.ts'
import { autocorrelation, correlation } from '../statistics/correlation.ts'
import { mean, variance } from '../statistics/moments.ts'
import { median, partOf } from '../statistics/quantiles.ts'
import { LEADER } from './candle-figures.ts'
import type { Figure } from './figure.ts'

export const FLOW_FIGURES: readonly Figure[] = [
  ...[
    { lag: 1, min: 0.15, max: 0.3 },
    { lag: 5, min: 0.1, max: 0.2 },
    { lag: 20, min: 0.05, max: 0.12 },
  ].map(
    ({ lag, min, max }): Figure => ({
      id: `signs-${lag}`,
      source: 'c',
      title: `BTC: autocorrelation of the signs of takers' orders, lag ${lag}`,
      wanted: { min, max },
      held: { min: 0.02, max: 0.6 },
      form: 'number',
      of: (seen) =>
        autocorrelation(
          ordersOf(seen).map(({ isBuy }) => (isBuy ? 1 : -1)),
          lag,
        ),
    }),
  ),
  {
    id: 'clustering',
    source: 'c',
    title: "BTC: takers' orders of a second, variance over mean",
    wanted: { min: 8 },
    held: { min: 4 },
    form: 'number',
    of: (seen) => dispersion(ordersOf(seen)),
  },
  {
    id: 'flow-return',
    source: 'c',
    title: 'BTC: correlation of net flow and return over 10 s',
    wanted: { min: 0.35, max: 0.75 },
    held: { min: 0.2, max: 0.9 },
    form: 'number',
    of: (seen) => flowAndReturn(seen),
  },
  {
    id: 'best-bid-moves',
    source: 'c',
    title: 'BTC: updates of the book in which the best bid moves',
    wanted: { max: 0.15 },
    held: { max: 0.25 },
    form: 'percent',
    of: (seen) => {
      const tops = topsOf(seen)
      return partOf(tops.slice(1), (top) => top.bid !== tops[tops.indexOf(top) - 1]?.bid)
    },
  },
  {
    id: 'near-depth',
    title: 'BTC: median depth within 2 basis points of the middle, both sides',
    source: 'h',
    wanted: { min: 1e6, max: 18e6 },
    held: { min: 5e5, max: 18e6 },
    form: 'dollars',
    of: ({ near }) => median((near.get(LEADER) ?? []).map(({ value }) => value)),
  },
  {
    id: 'spread',
    source: 'c',
    title: 'BTC: median spread, basis points',
    wanted: { max: 0.3 },
    held: { max: 1 },
    form: 'number',
    of: (seen) => median(topsOf(seen).map(({ bid, ask }) => (1e4 * (ask - bid)) / ask)),
  },
]

const printsOf = ({ prints }: Observations): Print[] => prints.get(LEADER) ?? []
const topsOf = ({ tops }: Observations): BookTop[] => tops.get(LEADER) ?? []

/** Trades of one instant and side are one taker's order. */
function ordersOf(seen: Observations): Print[] {
  const prints = printsOf(seen)
  return prints.filter((print, at) => {
    const before = prints[at - 1]
    return before?.timeMs !== print.timeMs || before.isBuy !== print.isBuy
  })
}

function dispersion(orders: readonly Print[]): number {
  const counts = perStep(orders, 1000).map((some) => some.length)
  return variance(counts) / mean(counts)
}

/** Prints of each step of time, including empty steps. */
function perStep(prints: readonly Print[], stepMs: number): Print[][] {
  const [first, last] = [prints[0], prints.at(-1)]
  if (!first || !last) return []
  const steps = Array.from(
    { length: Math.floor((last.timeMs - first.timeMs) / stepMs) + 1 },
    (): Print[] => [],
  )
  for (const print of prints) steps[Math.floor((print.timeMs - first.timeMs) / stepMs)]?.push(print)
  return steps
}

function flowAndReturn(seen: Observations): number {
  const steps = perStep(printsOf(seen), 10_000).filter((prints) => prints.length > 1)
  const flows = steps.map((prints) =>
    prints.reduce((sum, { sz, isBuy }) => sum + (isBuy ? sz : -sz), 0),
  )
  const closes = steps.map((prints) => (prints.at(-1) as Print).px)
  const moves = closes.map((px, at) => Math.log(px / (closes[at - 1] ?? px)))
  return correlation(flows.slice(1), moves.slice(1))
}
