/** Open interest over all exchanges. */

import { HOUR_MS } from '../../../clock/durations.ts'
import { later } from '../../../clock/instant.ts'
import type { HistoryQuery } from '../../../contract/facts/futures.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { HistoryCandle } from '../../../contract/records/futures-history.ts'
import { raw } from '../../../decimal/quantity.ts'
import { divide, format, pow10 } from '../../../decimal/scaled.ts'
import type { Contract } from '../../exchanges/contracts.ts'
import { coinMarginCandles, interestCandles } from '../../exchanges/exchange-interest.ts'
import { exchangesListing } from '../../exchanges/exchanges.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { type InstrumentRow, MONEY_DECIMALS, szText } from '../../schema.ts'
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
  const candles = interestCandles(world, of, exchangesListing(of), edges)
  return candlesOf(edges, candles, (sz) => szText(of, sz))
}

/** Contracts settled in the coin, in dollars, valued at the last trade. null: nobody lists any. */
export function coinMarginOpenInterest(
  world: World,
  moment: Moment,
  of: InstrumentRow,
  query: HistoryQuery,
): HistoryCandle[] | null {
  const edges = intervalEdges(query, moment, firstTradeMs(world, of))
  const candles = coinMarginCandles(world, of, edges)
  return candles && candlesOf(edges, candles, (usd) => format(divide(raw(usd), CENT), 2))
}

/** Open interest of a contract at the ends of 24 hours and at the present, size units. */
export function openInterestTrend(
  world: World,
  { atMs, shiftMs }: Moment,
  { instrument, exchange }: Contract,
) {
  const hourMs = wholeStep(atMs, shiftMs, HOUR_MS)
  const times = Array.from({ length: 24 }, (_, at) => later(hourMs, (at - 23) * HOUR_MS))
  if (hourMs < atMs) times.push(atMs)
  const edges = [later(hourMs, -24 * HOUR_MS), ...times].map((timeMs) => later(timeMs, 1))
  const candles = interestCandles(world, instrument, [exchange], edges)
  return times.flatMap((timeMs, at) => {
    const sz = candles[at]?.close
    return sz === undefined ? [] : { timeMs, sz }
  })
}

const CENT = pow10(MONEY_DECIMALS - 2)

const firstTradeMs = (world: World, of: InstrumentRow) =>
  tradeHoursOf(world).firstMs(of.id) ?? Number.POSITIVE_INFINITY
