/**
 * Open interest over all exchanges: the sum of all long positions after each trade, and of each
 * other exchange its share of that.
 */

import { later, type TapeMs } from '../../../clock/instant.ts'
import type { HistoryQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { HistoryCandle } from '../../../contract/records/futures-history.ts'
import { portion, type Quantity, raw, type Sz, sum, type Usd } from '../../../decimal/quantity.ts'
import { divide, format, pow10 } from '../../../decimal/scaled.ts'
import { positionValue } from '../../accounting/margin.ts'
import { exchangeSharesOf, exchangesListing, SHARE_SCALE } from '../../exchanges/exchange-shares.ts'
import { perWorld } from '../../per-world.ts'
import { columns, type RowOf } from '../../rows/columns.ts'
import { StepSeries } from '../../rows/step-series.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { type InstrumentRow, MONEY_DECIMALS, szText, trade } from '../../schema.ts'
import { intervalEdges } from '../../shown-time/interval-edges.ts'
import { wholeStep } from '../../shown-time/time-grid.ts'
import type { World } from '../../world.ts'
import { candlesOf } from './history-candles.ts'

/** Contracts settled in stablecoins, in the coin. */
export function stablecoinOpenInterest(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
): HistoryCandle[] {
  const edges = intervalEdges(query, moment, firstTradeMs(world, of))
  const { stablecoinShare } = exchangeSharesOf(world)
  const shares = exchangesListing(of).map((exchange) => stablecoinShare(exchange, of))
  const total = (sz: Sz) => sum(shares.map((one) => portion(sz, one, SHARE_SCALE)))
  const candles = openInterestSizes(world).candles(of, edges)
  return candlesOf(edges, candles, (sz) => szText(of, total(sz)))
}

/** Contracts settled in the coin, in dollars, valued at the last trade. null: nobody lists any. */
export function coinMarginOpenInterest(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
): HistoryCandle[] | null {
  const { coinMarginShare } = exchangeSharesOf(world)
  const shares = exchangesListing(of).map((exchange) => coinMarginShare(exchange, of))
  if (shares.every((one) => one === 0)) return null
  const total = (usd: Usd) => sum(shares.map((one) => portion(usd, one, SHARE_SCALE)))
  const edges = intervalEdges(query, moment, firstTradeMs(world, of))
  const candles = openInterestValues(world).candles(of, edges)
  return candlesOf(edges, candles, (usd) => format(divide(raw(total(usd)), CENT), 2))
}

/** Open interest of the own venue at the ends of 24 hours and at the present, size units. */
export function openInterestTrend(world: World, { atMs, shiftMs }: Moment, of: InstrumentRow) {
  const hourMs = wholeStep(atMs, shiftMs, HOUR_MS)
  const times = Array.from({ length: 24 }, (_, at) => later(hourMs, (at - 23) * HOUR_MS))
  if (hourMs < atMs) times.push(atMs)
  const edges = [later(hourMs, -24 * HOUR_MS), ...times].map((timeMs) => later(timeMs, 1))
  const candles = openInterestSizes(world).candles(of, edges)
  return times.flatMap((timeMs, at) => {
    const sz = candles[at]?.close
    return sz === undefined ? [] : { timeMs, sz }
  })
}

/** Open interest of the own venue; null before the first trade. */
export function openInterestAt(world: World, of: InstrumentRow, atMs: TapeMs): Sz | null {
  return openInterestSizes(world).at(of, atMs)
}

const CENT = pow10(MONEY_DECIMALS - 2)
const HOUR_MS = 3_600_000

const firstTradeMs = (world: World, of: InstrumentRow) =>
  tradeHoursOf(world).firstMs(of.id) ?? Number.POSITIVE_INFINITY

const STEPS = columns({ timeMs: trade.timeMs, px: trade.px, sz: trade.interestAfter })
type Step = RowOf<typeof STEPS>

/** Open interest after each trade. */
export const openInterestSizes = perWorld(
  (world) =>
    new StepSeries(
      world,
      stepSource<Sz>(world, (_, { sz }) => sz),
    ),
)

/** The same valued at the trade's price. */
export const openInterestValues = perWorld(
  (world) =>
    new StepSeries(
      world,
      stepSource<Usd>(world, (of, { px, sz }) => positionValue(sz, px, of)),
    ),
)

function stepSource<Q extends Quantity>({ db }: World, value: (of: InstrumentRow, row: Step) => Q) {
  const from = 'from trade where instrument = ?'
  return {
    between: STEPS.prepare<[instrument: number, fromMs: TapeMs, toMs: TapeMs]>(
      db,
      `${from} and timeMs >= ? and timeMs < ? order by timeMs, id`,
    ),
    before: STEPS.prepare<[instrument: number, atMs: TapeMs]>(
      db,
      `${from} and timeMs <= ? order by timeMs desc, id desc limit 1`,
    ),
    value,
  }
}
