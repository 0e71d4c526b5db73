/** Indicators of what happened in each interval: trades, large orders, liquidations. */

import type { TapeMs } from '../../../clock/instant.ts'
import { add, type Sz, subtract, sum as total, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { lastUpTo } from '../../binary-search.ts'
import { exchangeSharesOf } from '../../exchanges/exchange-shares.ts'
import { scaleBigVolume, scaleVolume, volumeShareOf } from '../../exchanges/pair-scaling.ts'
import { bigintText, roundOff } from '../../formatting/decimal-text.ts'
import { perWorld } from '../../per-world.ts'
import { columns } from '../../rows/columns.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import type { TradeTally } from '../../rows/trade-tally.ts'
import { liquidation, MONEY_DECIMALS, szText, usdText } from '../../schema.ts'
import { isLarge, largeOrders } from './large-orders.ts'
import { eachInterval, endsOf, type IndicatorSeries, type SeriesContext } from './series-context.ts'

const inflow: IndicatorSeries = (of) => {
  const part = volumeShareOf(of.world, of.pair)
  return tradeTallies(of).map((tally) => ({
    value: usd(scaleBigVolume(2n * tally.buyAmount - tally.amount, part)),
  }))
}

const volumes: IndicatorSeries = (of) => {
  const part = volumeShareOf(of.world, of.pair)
  const coins = (sz: Sz) => szText(of.pair.instrument, scaleVolume(sz, part))
  return tradeTallies(of).map(({ size, buySize }) => ({
    buyVolume: coins(buySize),
    sellVolume: coins(subtract(size, buySize)),
  }))
}

const largeOrderCounts: IndicatorSeries = (of) => {
  const { world, pair, moment, edges } = of
  const part = volumeShareOf(world, pair)
  const isValue = moment.answers['large-trade-accounts'] === 'value'
  const all = [...largeOrders(world, pair.instrument, ...endsOf(edges))]
  const large = all.filter((one) => isLarge(one, part))
  return eachInterval(edges, (fromMs, toMs) => {
    const here = large.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    const sum = (side: 'A' | 'B') => {
      const ours = here.filter((one) => one.side === side)
      if (!isValue) return String(new Set(ours.map(({ taker }) => taker)).size)
      return usdText(total(ours.map(({ notional }) => scaleVolume(notional, part))))
    }
    return { buyAccount: sum('B'), sellAccount: sum('A') }
  })
}

const liquidations: IndicatorSeries = ({ world, pair: { instrument, exchange }, edges }) => {
  const sums = edges.slice(0, -1).map((): Sides => ({ long: ZERO, short: ZERO }))
  const { liquidationShare } = exchangeSharesOf(world)
  for (const row of liquidationsBetween(world).all(instrument.id, ...endsOf(edges))) {
    const sides = sums[lastUpTo(edges, row.timeMs)]
    if (!sides) continue
    sides[row.direction] = add(sides[row.direction], liquidationShare(exchange, instrument, row))
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

/** Turnover of each interval on the own venue. */
export function tradeTallies({ world, pair, edges }: SeriesContext): TradeTally[] {
  const hours = tradeHoursOf(world)
  return eachInterval(edges, (fromMs, toMs) => hours.tally(pair.instrument.id, fromMs, toMs))
}

/** Micro-dollars to the cent. */
export const usd = (micros: bigint) => bigintText(roundOff(micros, MONEY_DECIMALS - 2), 2)

const CLOSINGS = columns({
  id: liquidation.id,
  timeMs: liquidation.timeMs,
  direction: liquidation.direction,
  notional: liquidation.notional,
})

const liquidationsBetween = perWorld(({ db }) =>
  CLOSINGS.prepare<[instrument: number, fromMs: TapeMs, toMs: TapeMs]>(
    db,
    'from liquidation where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id',
  ),
)
