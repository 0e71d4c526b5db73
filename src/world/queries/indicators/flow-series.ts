/** Indicators of what happened in each interval: trades, large orders, forced closings. */
import { add, type Sz, subtract, sum, type Usd, ZERO } from '../../../decimal/quantity.ts'
import { lastUpTo } from '../../books/shelf.ts'
import { columns } from '../../rows/columns.ts'
import { liquidation, MONEY_DECIMALS, szText, usdText } from '../../schema.ts'
import { sharesOf } from '../derivatives/shares.ts'
import { perWorld } from '../per-world.ts'
import type { Tally } from '../tally.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { shorten, wideText } from '../wording.ts'
import { type Context, eachSpan } from './context.ts'
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
  const all = [...largeOrders(world, pair.instrument, edges[0] ?? 0, edges.at(-1) ?? 0)]
  const large = all.filter((one) => isLarge(one, part))
  return eachSpan(edges, (fromMs, toMs) => {
    const here = large.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    const told = (side: 'A' | 'B') => {
      const ours = here.filter((one) => one.side === side)
      if (!isValue) return String(new Set(ours.map(({ taker }) => taker)).size)
      return usdText(sum(ours.map(({ notional }) => scaled(notional, part))))
    }
    return { buyAccount: told('B'), sellAccount: told('A') }
  })
}

const closings: Series = ({ world, pair: { instrument, exchange }, edges }) => {
  const sums = edges.slice(0, -1).map(() => ({ long: ZERO as Usd, short: ZERO as Usd }))
  const { liquidated } = sharesOf(world)
  const rows = closed(world).all(instrument.id, edges[0] ?? 0, edges.at(-1) ?? 0)
  for (const { id, timeMs, direction, notional } of rows) {
    const sides = sums[lastUpTo(edges, timeMs)]
    if (!sides) continue
    const value = liquidated(exchange, instrument, { id, notional })
    sides[direction] = add(sides[direction], value)
  }
  // Who is closed out of a short position buys.
  return sums.map(({ long, short }) => ({ buySize: usdText(short), sellSize: usdText(long) }))
}

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

const { id, timeMs, direction, notional } = liquidation

const closed = perWorld(({ db }) =>
  columns({ id, timeMs, direction, notional }).prepare<
    [instrument: number, fromMs: number, toMs: number]
  >(db, `from liquidation where instrument = ? and timeMs >= ? and timeMs < ? order by timeMs, id`),
)
