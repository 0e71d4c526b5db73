/** Large taker orders. */

import { HOUR_MS } from '../../../clock/durations.ts'
import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { IndicatorRecord } from '../../../contract/records/indicator.ts'
import { type Px, px, raw, type Sz, type Usd, usd } from '../../../decimal/quantity.ts'
import { divide, mulDiv, pow10 } from '../../../decimal/scaled.ts'
import { derivedLargeOrders } from '../../exchanges/derived-large-orders.ts'
import type { DerivedPair } from '../../exchanges/pair-minutes.ts'
import { isDerived } from '../../exchanges/pair-tallies.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import { assetOf } from '../../rows/assets.ts'
import { type LargeOrder, tradeSpansOf } from '../../rows/trade-spans.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import type { KlineAnchor } from './kline-clock.ts'
import type { SeriesContext } from './series-context.ts'

/** From which value on an order is large. */
const LARGE_MIN = usd(100_000 * 1e6)

/** Whether an order of the own venue is large. */
export const isLarge = ({ notional }: LargeOrder) => notional >= LARGE_MIN

/** Orders of the own venue with fromMs <= time < toMs that may be large, oldest first. */
export function* ownLargeOrders(
  world: World,
  { id }: InstrumentRow,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder> {
  for (let atMs = fromMs; atMs < toMs; ) {
    const { large, endMs } = tradeSpansOf(world).at(id, atMs)
    for (const order of large) if (order.timeMs >= fromMs && order.timeMs < toMs) yield order
    atMs = endMs
  }
}

/** Large orders of a pair with fromMs <= time < toMs, oldest first. */
export function* largeOrders(
  world: World,
  pair: Pair,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder> {
  if (isDerived(pair)) {
    for (let atMs = hourOf(fromMs); atMs < toMs; atMs = later(atMs, HOUR_MS))
      yield* derivedIn(world, pair, atMs, fromMs, toMs)
    return
  }
  for (const order of ownLargeOrders(world, pair.instrument, fromMs, toMs))
    if (isLarge(order)) yield order
}

/** The same, newest first. */
function* largeOrdersBackward(
  world: World,
  pair: Pair,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder> {
  for (let atMs = toMs; atMs > fromMs; ) {
    const startMs = isDerived(pair)
      ? hourOf(later(atMs, -1))
      : tradeSpansOf(world).at(pair.instrument.id, later(atMs, -1)).startMs
    const earliestMs = tapeMs(Math.max(startMs, fromMs))
    yield* [...largeOrders(world, pair, earliestMs, atMs)].reverse()
    atMs = earliestMs
  }
}

const hourOf = (timeMs: TapeMs) => tapeMs(Math.floor(timeMs / HOUR_MS) * HOUR_MS)

function derivedIn(
  world: World,
  pair: DerivedPair,
  hourMs: TapeMs,
  fromMs: TapeMs,
  toMs: TapeMs,
): LargeOrder[] {
  const endMs = tapeMs(Math.min(toMs, hourMs + HOUR_MS))
  const all = derivedLargeOrders(world, pair, { hourMs, endMs, leastUsd: raw(LARGE_MIN) / 1e6 })
  return all.filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
}

/** Large trades one by one, oldest first: those before `since`, or from it on. */
export function largeTrades(
  { world, pair, moment, clock, symbol }: Omit<SeriesContext, 'edges'>,
  { end, timeMs }: KlineAnchor,
  size: number,
): IndicatorRecord[] {
  const [historyMs, nowMs] = [world.meta.historyStartMs, moment.atMs]
  const orders =
    end === 'newest'
      ? largeOrdersBackward(world, pair, historyMs, later(timeMs, 1))
      : largeOrders(world, pair, tapeMs(Math.max(historyMs, timeMs)), later(nowMs, 1))
  const found: IndicatorRecord[] = []
  for (const order of orders) {
    if (found.length === size) break
    found.push(largeTradeRecord({ world, pair, moment, clock, symbol }, order))
  }
  return end === 'newest' ? found.reverse() : found
}

function largeTradeRecord(
  { pair, moment, clock, symbol }: Omit<SeriesContext, 'edges'>,
  { timeMs, side, sz, notional }: LargeOrder,
): IndicatorRecord {
  const { instrument, market } = pair
  const isSide = moment.answers['aggregate-trade-type'] === 'side'
  return {
    timestamp: clock.seconds(timeMs),
    key: symbol,
    coin_type: assetOf(instrument.base).key,
    trade_type: isSide ? (side === 'B' ? 'buy' : 'sell') : market === 'swap' ? 'futures' : 'spot',
    price: pxText(instrument, averagePx(instrument, sz, notional)),
    amount: szText(instrument, sz),
    value: usdText(notional),
  }
}

function averagePx(of: InstrumentRow, sz: Sz, notional: Usd): Px {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [size, money] = [raw(sz), raw(notional)]
  return px(scale >= 0 ? mulDiv(money, pow10(scale), size) : divide(money, size * pow10(-scale)))
}
