/**
 * Minutes of a pair on another exchange, out of the own venue's: a share of each minute's volume
 * that drifts and has noise of its own, a little that follows the hour before alone, takers half of
 * whom do what those of the own venue do, and the own range of prices moved by the basis.
 */
import { HOUR_MS } from '../../clock/durations.ts'
import type { TapeMs } from '../../clock/instant.ts'
import { px, raw } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import type { ExchangeMotion } from '../bars/exchange-motion.ts'
import type { InstrumentRow } from '../schema/schema.ts'
import type { World } from '../world/world.ts'
import { type Exchange, motionsOf } from './exchanges.ts'
import { CENTS_DECIMALS, minuteOf, type OwnSpan, ownHourBefore, ownSpan } from './own-minutes.ts'
import { pairPrice } from './pair-prices.ts'
import type { Pair } from './pairs.ts'

/** Bought and sold by takers, size units and cents; range of prices, price units of the pair. */
export interface PairSums {
  bought: number
  sold: number
  boughtCents: number
  soldCents: number
  low: number
  high: number
}

/** What of a minute's volume follows the hour before. */
const BY_HOUR = 0.08
/** What of the flow goes the exchange's own way. */
const OWN_FLOW = 0.45

/** A pair of another exchange. */
export type DerivedPair = Pair & { exchange: Exchange }

/** What of a minute lies in [fromMs, toMs); null before the first trade of the own venue. */
export function minutePart(
  world: World,
  pair: DerivedPair,
  fromMs: TapeMs,
  toMs: TapeMs,
): PairSums | null {
  const { instrument, exchange, market } = pair
  const minuteMs = minuteOf(fromMs)
  const motion = motionsOf(world)(exchange, instrument, market)
  const own = ownSpan(world, instrument, fromMs, toMs)
  const range = rangeOf(
    own,
    (price, basis) => raw(pairPrice(instrument, exchange, px(price), basis)),
    motion.basisRange(minuteMs),
  )
  if (range === null) return null
  const [low, high] = range
  const until = flowUntil(world, instrument, motion, minuteMs, toMs)
  const before =
    fromMs === minuteMs ? NO_FLOW : flowUntil(world, instrument, motion, minuteMs, fromMs)
  return {
    low,
    high,
    bought: until.bought - before.bought,
    sold: until.sold - before.sold,
    boughtCents: until.boughtCents - before.boughtCents,
    soldCents: until.soldCents - before.soldCents,
  }
}

/** Every price of the pair within the span lies in it; that of a span is those of its parts. */
function rangeOf(
  { before, prices }: OwnSpan,
  priceOf: (own: number, basis: number) => number,
  [least, most]: [number, number],
): [low: number, high: number] | null {
  const low = Math.min(before ?? Number.POSITIVE_INFINITY, prices?.low ?? Number.POSITIVE_INFINITY)
  const high = Math.max(before ?? 0, prices?.high ?? 0)
  return high === 0 ? null : [priceOf(low, least), priceOf(high, most)]
}

const NO_FLOW = { bought: 0, sold: 0, boughtCents: 0, soldCents: 0 }

/** What takers did from the beginning of a minute to an instant of it. */
function flowUntil(
  world: World,
  of: InstrumentRow,
  motion: ExchangeMotion,
  minuteMs: TapeMs,
  untilMs: TapeMs,
): typeof NO_FLOW {
  const own = ownSpan(world, of, minuteMs, untilMs)
  const usual = usualFlow(world, of, own, minuteMs, untilMs)
  const [factor, buyPart] = [motion.volumeFactor(minuteMs), motion.buyPart(minuteMs)]
  const rate = factor * (1 + motion.basisAt(minuteMs))
  const boughtOf = (bought: number, all: number) =>
    (1 - OWN_FLOW) * bought + OWN_FLOW * buyPart * all
  const [bought, cents] = [boughtOf(own.boughtSize, own.size), boughtOf(own.boughtCents, own.cents)]
  const mixed = (own: number, hour: number) => (1 - BY_HOUR) * own + BY_HOUR * hour
  return {
    bought: Math.floor(factor * mixed(bought, usual.size * buyPart)),
    sold: Math.floor(factor * mixed(own.size - bought, usual.size * (1 - buyPart))),
    boughtCents: Math.floor(rate * mixed(cents, usual.cents * buyPart)),
    soldCents: Math.floor(rate * mixed(own.cents - cents, usual.cents * (1 - buyPart))),
  }
}

/** What there would be in a part of an hour at the pace of the hour before. */
function usualFlow(
  world: World,
  of: InstrumentRow,
  { before }: OwnSpan,
  minuteMs: TapeMs,
  untilMs: TapeMs,
) {
  if (before === null) return { size: 0, cents: 0 }
  const size = (ownHourBefore(world, of, minuteMs).size * (untilMs - minuteMs)) / HOUR_MS
  const unit = pow10(CENTS_DECIMALS) / pow10(of.pxDecimals) / pow10(of.szDecimals)
  return { size, cents: size * before * unit }
}
