/** Indicators of what happened in each interval: trades, large orders, forced closings. */

import type { TapeMs } from '../../../clock/instant.ts'
import { add, type Sz, subtract, sum as total, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { lastUpTo } from '../../books/shelf.ts'
import { columns } from '../../rows/columns.ts'
import { liquidation, MONEY_DECIMALS, szText, usdText } from '../../schema.ts'
import { sharesOf } from '../derivatives/shares.ts'
import { perWorld } from '../per-world.ts'
import type { Tally } from '../tally.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { shorten, wideText } from '../wording.ts'
import { type Context, eachSpan, endsOf } from './context.ts'
import { isLarge, largeOrders } from './large-orders.ts'
import type { Series } from './series.ts'
import { partOf, scaled, scaledWide } from './venue.ts'

const inflow: Series = (of) => {
  const part = partOf(of.world, of.pair)
  return tallies(of).map((tally) => ({
    value: usd(scaledWide(2n * tally.buyAmount - tally.amount, part)),
  }))
}

const volumes: Series = (of) => {
  const part = partOf(of.world, of.pair)
  const coins = (sz: Sz) => szText(of.pair.instrument, scaled(sz, part))
  return tallies(of).map(({ size, buySize }) => ({
    buyVolume: coins(buySize),
    sellVolume: coins(subtract(size, buySize)),
  }))
}

const orders: Series = (of) => {
  const { world, pair, moment, edges } = of
  const part = partOf(world, pair)
  const isValue = moment.answers['large-trade-accounts'] === 'value'
  const all = [...largeOrders(world, pair.instrument, ...endsOf(edges))]
  const large = all.filter((one) => isLarge(one, part))
  return eachSpan(edges, (fromMs, toMs) => {
    const here = large.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    const sum = (side: 'A' | 'B') => {
      const ours = here.filter((one) => one.side === side)
      if (!isValue) return String(new Set(ours.map(({ taker }) => taker)).size)
      return usdText(total(ours.map(({ notional }) => scaled(notional, part))))
    }
    return { buyAccount: sum('B'), sellAccount: sum('A') }
  })
}

const closings: Series = ({ world, pair: { instrument, exchange }, edges }) => {
  const sums = edges.slice(0, -1).map((): Sides => ({ long: ZERO, short: ZERO }))
  const { liquidated } = sharesOf(world)
  for (const row of closed(world).all(instrument.id, ...endsOf(edges))) {
    const sides = sums[lastUpTo(edges, row.timeMs)]
    if (!sides) continue
    sides[row.direction] = add(sides[row.direction], liquidated(exchange, instrument, row))
  }
  // Who is closed out of a short position buys.
  return sums.map(({ long, short }) => ({ buySize: usdText(short), sellSize: usdText(long) }))
}

type Sides = Record<'long' | 'short', Usd>

/** By key. */
export const flowSeries = {
  fundflow: inflow,
  ftbs: volumes,
  bsv: volumes,
  aibst: orders,
  aili: closings,
}

/** Turnover of each interval on the own venue. */
export function tallies({ world, pair, edges }: Context): Tally[] {
  const hours = tradeHoursOf(world)
  return eachSpan(edges, (fromMs, toMs) => hours.tally(pair.instrument.id, fromMs, toMs))
}

/** Micro-dollars to the cent. */
export const usd = (micros: bigint) => wideText(shorten(micros, MONEY_DECIMALS - 2), 2)

const CLOSINGS = columns({
  id: liquidation.id,
  timeMs: liquidation.timeMs,
  direction: liquidation.direction,
  notional: liquidation.notional,
})

const closed = perWorld(({ db }) =>
  CLOSINGS.prepare<[instrument: number, fromMs: TapeMs, toMs: TapeMs]>(
    db,
    'from liquidation where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id',
  ),
)
