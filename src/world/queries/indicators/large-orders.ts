/** Orders that took much at once. */

import { later, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { IndicatorRecord } from '../../../contract/records/indicator.ts'
import { type Px, px, raw, type Sz, type Usd, usd } from '../../../decimal/quantity.ts'
import { divide, power, share } from '../../../decimal/scaled.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { assetOf } from '../assets.ts'
import { chunksOf, type LargeOrder } from './chunks.ts'
import type { Context } from './context.ts'
import type { Reach } from './spans.ts'
import { partOf, priceOn, scaled } from './venue.ts'

/** From which value on an order is large. */
const LARGE = usd(100_000 * 1e6)

/** Whether an order of the own venue is large for a pair. */
export const isLarge = ({ notional }: LargeOrder, part: number) => scaled(notional, part) >= LARGE

/** Candidates of the own venue with fromMs <= time < toMs, oldest first. */
export function* largeOrders(
  world: World,
  { id }: InstrumentRow,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder> {
  for (let atMs = fromMs; atMs < toMs; ) {
    const { large, endMs } = chunksOf(world).at(id, atMs)
    for (const order of large) if (order.timeMs >= fromMs && order.timeMs < toMs) yield order
    atMs = endMs
  }
}

/** The same, newest first. */
function* backward(
  world: World,
  { id }: InstrumentRow,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder> {
  for (let atMs = toMs; atMs > fromMs; ) {
    const { large, startMs } = chunksOf(world).at(id, later(atMs, -1))
    for (const order of large.toReversed())
      if (order.timeMs >= fromMs && order.timeMs < toMs) yield order
    atMs = startMs
  }
}

/** Large trades one by one, oldest first: those before `since`, or from it on. */
export function largeTrades(
  { world, pair, moment, clock, symbol }: Omit<Context, 'edges'>,
  { end, timeMs }: Reach,
  size: number,
): IndicatorRecord[] {
  const { instrument } = pair
  const part = partOf(world, pair)
  const [storyMs, nowMs] = [world.meta.storyStartMs, moment.atMs]
  const orders =
    end === 'newest'
      ? backward(world, instrument, storyMs, later(timeMs, 1))
      : largeOrders(world, instrument, tapeMs(Math.max(storyMs, timeMs)), later(nowMs, 1))
  const found: IndicatorRecord[] = []
  for (const order of orders) {
    if (found.length === size) break
    if (isLarge(order, part))
      found.push(record({ world, pair, moment, clock, symbol }, order, part))
  }
  return end === 'newest' ? found.reverse() : found
}

function record(
  { pair, moment, clock, symbol }: Omit<Context, 'edges'>,
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
    price: pxText(instrument, priceOn(pair, averagePx(instrument, sz, notional))),
    amount: szText(instrument, scaled(sz, part)),
    value: usdText(scaled(notional, part)),
  }
}

function averagePx(of: InstrumentRow, sz: Sz, notional: Usd): Px {
  const scale = of.pxDecimals + of.szDecimals - MONEY_DECIMALS
  const [size, money] = [raw(sz), raw(notional)]
  return px(scale >= 0 ? share(money, power(scale), size) : divide(money, size * power(-scale)))
}
