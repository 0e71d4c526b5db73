/** Large taker orders. */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { IndicatorRecord } from '../../../contract/records/indicator.ts'
import { type Px, px, raw, type Sz, type Usd, usd } from '../../../decimal/quantity.ts'
import { divide, mulDiv, pow10 } from '../../../decimal/scaled.ts'
import { pairPrice, scaleVolume, volumeShareOf } from '../../exchanges/pair-scaling.ts'
import { assetOf } from '../../rows/assets.ts'
import { type LargeOrder, tradeSpansOf } from '../../rows/trade-spans.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import type { KlineAnchor } from './kline-clock.ts'
import type { SeriesContext } from './series-context.ts'

/** From which value on an order is large. */
const LARGE_MIN = usd(100_000 * 1e6)

/** Whether an order of the own venue is large for a pair. */
export const isLarge = ({ notional }: LargeOrder, part: number) =>
  scaleVolume(notional, part) >= LARGE_MIN

/** Candidates of the own venue with fromMs <= time < toMs, oldest first. */
export function* largeOrders(
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

/** The same, newest first. */
function* largeOrdersBackward(
  world: World,
  { id }: InstrumentRow,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder> {
  for (let atMs = toMs; atMs > fromMs; ) {
    const { large, startMs } = tradeSpansOf(world).at(id, later(atMs, -1))
    for (const order of large.toReversed())
      if (order.timeMs >= fromMs && order.timeMs < toMs) yield order
    atMs = startMs
  }
}

/** Large trades one by one, oldest first: those before `since`, or from it on. */
export function largeTrades(
  { world, pair, moment, clock, symbol }: Omit<SeriesContext, 'edges'>,
  { end, timeMs }: KlineAnchor,
  size: number,
): IndicatorRecord[] {
  const { instrument } = pair
  const part = volumeShareOf(world, pair)
  const [historyMs, nowMs] = [world.meta.historyStartMs, moment.atMs]
  const orders =
    end === 'newest'
      ? largeOrdersBackward(world, instrument, historyMs, later(timeMs, 1))
      : largeOrders(world, instrument, tapeMs(Math.max(historyMs, timeMs)), later(nowMs, 1))
  const found: IndicatorRecord[] = []
  for (const order of orders) {
    if (found.length === size) break
    if (isLarge(order, part))
      found.push(largeTradeRecord({ world, pair, moment, clock, symbol }, order, part))
  }
  return end === 'newest' ? found.reverse() : found
}

function largeTradeRecord(
  { pair, moment, clock, symbol }: Omit<SeriesContext, 'edges'>,
  { timeMs, side, sz, notional }: LargeOrder,
  part: number,
): IndicatorRecord {
  const { instrument, market } = pair
  const isSide = moment.answers['aggregate-trade-type'] === 'side'
  return {
    timestamp: clock.seconds(timeMs),
    key: symbol,
    coin_type: assetOf(instrument.base).key,
    trade_type: isSide ? (side === 'B' ? 'buy' : 'sell') : market === 'swap' ? 'futures' : 'spot',
    price: pxText(instrument, pairPrice(pair, averagePx(instrument, sz, notional))),
    amount: szText(instrument, scaleVolume(sz, part)),
    value: usdText(scaleVolume(notional, part)),
  }
}

function averagePx(of: InstrumentRow, sz: Sz, notional: Usd): Px {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [size, money] = [raw(sz), raw(notional)]
  return px(scale >= 0 ? mulDiv(money, pow10(scale), size) : divide(money, size * pow10(-scale)))
}
