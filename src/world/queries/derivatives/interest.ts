/**
 * Open interest over all exchanges: the sum of all long positions after each trade, and of each
 * other exchange its share of that.
 */

import { later, type TapeMs } from '../../../clock/instant.ts'
import type { HistoryQuery } from '../../../contract/facts/derivatives.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { HistoryCandle } from '../../../contract/records/history.ts'
import { portion, type Quantity, raw, type Sz, sum, type Usd } from '../../../decimal/quantity.ts'
import { divide, format, power } from '../../../decimal/scaled.ts'
import { positionValue } from '../../accounting/margin.ts'
import { columns, type RowOf } from '../../rows/columns.ts'
import { type InstrumentRow, MONEY_DECIMALS, szText, trade } from '../../schema.ts'
import type { World } from '../../world.ts'
import { wholeStep } from '../grid.ts'
import { perWorld } from '../per-world.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { candlesOf } from './candles.ts'
import { sharesOf, venuesOf, WHOLE_SHARE } from './shares.ts'
import { Steps } from './steps.ts'
import { edgesOf } from './window.ts'

/** Contracts settled in stablecoins, in the coin. */
export function stablecoinInterest(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
): HistoryCandle[] {
  const edges = edgesOf(query, moment, firstMs(world, of))
  const { stable } = sharesOf(world)
  const shares = venuesOf(of).map((exchange) => stable(exchange, of))
  const total = (sz: Sz) => sum(shares.map((one) => portion(sz, one, WHOLE_SHARE)))
  const candles = sizesOf(world).candles(of, edges)
  return candlesOf(edges, candles, (sz) => szText(of, total(sz)))
}

/** Contracts settled in the coin, in dollars, valued at the last trade. null: nobody lists any. */
export function coinMarginInterest(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
): HistoryCandle[] | null {
  const { coin } = sharesOf(world)
  const shares = venuesOf(of).map((exchange) => coin(exchange, of))
  if (shares.every((one) => one === 0)) return null
  const total = (usd: Usd) => sum(shares.map((one) => portion(usd, one, WHOLE_SHARE)))
  const edges = edgesOf(query, moment, firstMs(world, of))
  const candles = valuesOf(world).candles(of, edges)
  return candlesOf(edges, candles, (usd) => format(divide(raw(total(usd)), CENT), 2))
}

/** Open interest of the own venue at the ends of 24 hours and at the present, size units. */
export function interestTrend(world: World, { atMs, shiftMs }: Moment, of: InstrumentRow) {
  const hourMs = wholeStep(atMs, shiftMs, HOUR_MS)
  const times = Array.from({ length: 24 }, (_, at) => later(hourMs, (at - 23) * HOUR_MS))
  if (hourMs < atMs) times.push(atMs)
  const edges = [later(hourMs, -24 * HOUR_MS), ...times].map((timeMs) => later(timeMs, 1))
  const candles = sizesOf(world).candles(of, edges)
  return times.flatMap((timeMs, at) => {
    const sz = candles[at]?.close
    return sz === undefined ? [] : { timeMs, sz }
  })
}

/** Open interest of the own venue; null before the first trade. */
export function interestAt(world: World, of: InstrumentRow, atMs: TapeMs): Sz | null {
  return sizesOf(world).at(of, atMs)
}

const CENT = power(MONEY_DECIMALS - 2)
const HOUR_MS = 3_600_000

const firstMs = (world: World, of: InstrumentRow) =>
  tradeHoursOf(world).firstMs(of.id) ?? Number.POSITIVE_INFINITY

const STEPS = columns({ timeMs: trade.timeMs, px: trade.px, sz: trade.interestAfter })
type Step = RowOf<typeof STEPS>

/** Open interest after each trade. */
export const sizesOf = perWorld(
  (world) =>
    new Steps(
      world,
      source<Sz>(world, (_, { sz }) => sz),
    ),
)

/** The same valued at the trade's price. */
export const valuesOf = perWorld(
  (world) =>
    new Steps(
      world,
      source<Usd>(world, (of, { px, sz }) => positionValue(sz, px, of)),
    ),
)

function source<Q extends Quantity>({ db }: World, value: (of: InstrumentRow, row: Step) => Q) {
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
