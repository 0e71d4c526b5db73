/** Indicators of what happened in each interval: trades, large orders, liquidations. */

import { add, type Sz, subtract, sum as total, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { lastUpTo } from '../../binary-search.ts'
import { contractLiquidations } from '../../exchanges/contract-liquidations.ts'
import { type PairTally, pairTally } from '../../exchanges/pair-tallies.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { MONEY_DECIMALS, szText, usdText } from '../../schema.ts'
import { largeOrders } from './large-orders.ts'
import { eachInterval, endsOf, type IndicatorSeries, type SeriesContext } from './series-context.ts'

const inflow: IndicatorSeries = (of) =>
  pairTallies(of).map((tally) => ({
    value: usd(tally === null ? 0n : 2n * tally.buyAmount - tally.amount),
  }))

const volumes: IndicatorSeries = (of) => {
  const coins = (sz: Sz) => szText(of.pair.instrument, sz)
  return pairTallies(of).map((tally) => ({
    buyVolume: coins(tally?.buySize ?? ZERO),
    sellVolume: coins(tally === null ? ZERO : subtract(tally.size, tally.buySize)),
  }))
}

const largeOrderCounts: IndicatorSeries = (of) => {
  const { world, pair, moment, edges } = of
  const isValue = moment.answers['large-trade-accounts'] === 'value'
  const large = [...largeOrders(world, pair, ...endsOf(edges))]
  return eachInterval(edges, (fromMs, toMs) => {
    const here = large.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    const sum = (side: 'A' | 'B') => {
      const ours = here.filter((one) => one.side === side)
      if (!isValue) return String(new Set(ours.map(({ taker }) => taker)).size)
      return usdText(total(ours.map(({ notional }) => notional)))
    }
    return { buyAccount: sum('B'), sellAccount: sum('A') }
  })
}

const liquidations: IndicatorSeries = ({ world, pair, edges }) => {
  const sums = edges.slice(0, -1).map((): Sides => ({ long: ZERO, short: ZERO }))
  for (const { timeMs, direction, value } of contractLiquidations(world, pair, ...endsOf(edges))) {
    const sides = sums[lastUpTo(edges, timeMs)]
    if (sides) sides[direction] = add(sides[direction], value)
  }
  // A liquidated short position buys.
  return sums.map(({ long, short }) => ({ buySize: usdText(short), sellSize: usdText(long) }))
}

type Sides = Record<'long' | 'short', Usd>

/** By key. */
export const tradeFlowSeries = {
  fundflow: inflow,
  ftbs: volumes,
  bsv: volumes,
  aibst: largeOrderCounts,
  aili: liquidations,
}

/** What was traded of the pair in each interval. */
export const pairTallies = ({ world, pair, edges }: SeriesContext): (PairTally | null)[] =>
  eachInterval(edges, (fromMs, toMs) => pairTally(world, pair, fromMs, toMs))

/** Micro-dollars to the cent. */
export const usd = (micros: bigint) => bigintText(roundOff(micros, MONEY_DECIMALS - 2), 2)
