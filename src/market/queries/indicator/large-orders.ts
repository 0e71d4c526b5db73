/** Large taker orders. */

import { HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { IndicatorRecord } from '../../../contract/records/indicator.ts'
import {
  divide,
  mulDiv,
  type Px,
  pow10,
  px,
  raw,
  type Sz,
  sz,
  type Usd,
  usd,
} from '../../../decimal/quantity.ts'
import type { Pair } from '../../exchanges/exchanges.ts'
import { motionsOf, saltsOf } from '../../exchanges/exchanges.ts'
import type { DerivedPair } from '../../exchanges/pair-minutes.ts'
import { ownSpan } from '../../exchanges/pair-minutes.ts'
import { isDerived, pairPxBefore } from '../../exchanges/pair-tallies.ts'
import { assetOf } from '../../rows/assets.ts'
import { type LargeOrder, tradeSpansOf } from '../../rows/long-short-positions.ts'
import { type InstrumentRow, MONEY_DECIMALS, pxText, szText, usdText } from '../../schema/schema.ts'
import { countAt, hashAt, unitAt } from '../../synth/distributions.ts'
import type { World } from '../../world/world.ts'
import type { KlineAnchor, SeriesContext } from './kline-clock.ts'

// Large taker orders on other exchanges: a number implied by their volume of the minute before.

/** Share of the volume in large orders, and the tail exponent of their sizes. */
const PART = 0.15
const TAIL_EXPONENT = 1.6
const SIZE_MAX = 60
const MEAN_SIZE = TAIL_EXPONENT / (TAIL_EXPONENT - 1)

/** Orders from a full hour to `endMs` of at least `leastUsd` dollars, oldest first. */
function derivedLargeOrders(
  world: World,
  pair: DerivedPair,
  { hourMs, endMs, leastUsd }: { hourMs: TapeMs; endMs: TapeMs; leastUsd: number },
): LargeOrder[] {
  const { instrument, exchange, market } = pair
  const motion = motionsOf(world)(exchange, instrument, market)
  const salt = saltsOf(world)(`orders of ${instrument.coin} on ${exchange.key}/${market}`)
  const found: LargeOrder[] = []
  for (let minuteMs = hourMs; minuteMs < endMs; minuteMs = later(minuteMs, MINUTE_MS)) {
    const beforeMs = later(minuteMs, -MINUTE_MS)
    const { cents } = ownSpan(world, instrument, beforeMs, minuteMs)
    const volumeUsd = (motion.volumeFactor(beforeMs) * cents) / 100
    const place = minuteMs / MINUTE_MS
    const count = countAt(salt, place, (PART * volumeUsd) / (leastUsd * MEAN_SIZE))
    const within = Array.from({ length: count }, (_, nth) =>
      drawnOrder(world, pair, hashAt(salt ^ nth, place), minuteMs, {
        leastUsd,
        buyPart: motion.buyPart(minuteMs),
      }),
    )
    found.push(...within.flatMap((one) => one ?? []).sort((a, b) => a.timeMs - b.timeMs))
  }
  return found
}

function drawnOrder(
  world: World,
  pair: DerivedPair,
  salt: number,
  minuteMs: TapeMs,
  { leastUsd, buyPart }: { leastUsd: number; buyPart: number },
): LargeOrder | null {
  const timeMs = later(minuteMs, Math.floor(unitAt(salt, 1) * MINUTE_MS))
  const px = pairPxBefore(world, pair, timeMs)
  if (px === null) return null
  const worth = leastUsd * Math.min(SIZE_MAX, unitAt(salt, 2) ** (-1 / TAIL_EXPONENT))
  const unit = unitUsd(pair, px)
  const units = Math.ceil(worth / unit)
  return {
    timeMs,
    side: unitAt(salt, 3) < buyPart ? 'B' : 'A',
    taker: salt,
    sz: sz(units),
    notional: usd(Math.round(units * unit * 1e6)),
  }
}

/** Value of a size unit, dollars. */
const unitUsd = ({ instrument }: DerivedPair, px: Px) =>
  raw(px) / pow10(instrument.pxDecimals) / pow10(instrument.szDecimals)

/** Minimum value of a large order. */
const LARGE_MIN = usd(100_000 * 1e6)

/** Whether an order on the venue is large. */
export const isLarge = ({ notional }: LargeOrder) => notional >= LARGE_MIN

/** Orders on the venue with fromMs <= time < toMs that may be large, oldest first. */
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

/**
 * Large orders of a pair with fromMs <= time < toMs, oldest first; null after each searched hour or
 * span, where the search can pause.
 */
export function* largeOrders(
  world: World,
  pair: Pair,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder | null> {
  const spans = tradeSpansOf(world)
  for (let atMs = fromMs; atMs < toMs; ) {
    const span = isDerived(pair) ? null : spans.at(pair.instrument.id, atMs)
    const untilMs = tapeMs(Math.min(toMs, span?.endMs ?? hourOf(atMs) + HOUR_MS))
    yield* largeOrdersOfPart(world, pair, atMs, untilMs)
    yield null
    atMs = untilMs
  }
}

/** Those of a part of an hour, or of one span of trades. */
const largeOrdersOfPart = (world: World, pair: Pair, fromMs: TapeMs, toMs: TapeMs) =>
  isDerived(pair)
    ? derivedIn(world, pair, hourOf(fromMs), fromMs, toMs)
    : [...ownLargeOrders(world, pair.instrument, fromMs, toMs)].filter(isLarge)

/** The same, newest first. */
function* largeOrdersBackward(
  world: World,
  pair: Pair,
  fromMs: TapeMs,
  toMs: TapeMs,
): Generator<LargeOrder | null> {
  for (let atMs = toMs; atMs > fromMs; ) {
    const startMs = isDerived(pair)
      ? hourOf(later(atMs, -1))
      : tradeSpansOf(world).at(pair.instrument.id, later(atMs, -1)).startMs
    const earliestMs = tapeMs(Math.max(startMs, fromMs))
    yield* largeOrdersOfPart(world, pair, earliestMs, atMs).reverse()
    yield null
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
export function* largeTrades(
  { world, pair, moment, clock, symbol }: Omit<SeriesContext, 'edges'>,
  { end, timeMs }: KlineAnchor,
  size: number,
): Slices<IndicatorRecord[]> {
  const [historyMs, nowMs] = [world.meta.historyStartMs, moment.atMs]
  const orders =
    end === 'newest'
      ? largeOrdersBackward(world, pair, historyMs, later(timeMs, 1))
      : largeOrders(world, pair, tapeMs(Math.max(historyMs, timeMs)), later(nowMs, 1))
  const found: IndicatorRecord[] = []
  for (const order of orders) {
    yield
    if (found.length === size) break
    if (order !== null) found.push(largeTradeRecord({ world, pair, moment, clock, symbol }, order))
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
