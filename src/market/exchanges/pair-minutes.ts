/**
 * Minutes of a pair on another exchange, derived from the venue's: a drifting, noisy share of each
 * minute's volume, a small part that follows only the hour before, taker flow that half follows the
 * venue's, and the venue's price range shifted by the basis.
 */
import { HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import { type Px, pow10, px, raw } from '../../decimal/quantity.ts'
import type { ExchangeMotion } from '../bars/exchange-motion.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import type { Pair } from './exchanges.ts'
import { type Exchange, motionsOf } from './exchanges.ts'
import { stressOf } from './venue-stress.ts'

/** Taker buys and sells, size units and cents; price range, price units of the pair. */
export interface PairSums {
  bought: number
  sold: number
  boughtCents: number
  soldCents: number
  low: number
  high: number
}

/** Share of a minute's volume that follows the hour before; all of it where the venue is halted. */
const BY_HOUR = 0.08
/** Share of the flow that is independent. */
const OWN_FLOW = 0.45

/** A pair of another exchange. */
export type DerivedPair = Pair & { exchange: Exchange }

/** The part of a minute in [fromMs, toMs); null before the venue's first trade. */
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
    motion.basisRange(minuteMs, toMs),
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

/** Contains every price of the pair within the span; a span's range is the union of its parts'. */
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

/** Taker flow from the beginning of a minute to an instant of it. */
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
  const byHour = stressOf(world)(of).isHalted(minuteMs) ? 1 : BY_HOUR
  const mixed = (own: number, hour: number) => (1 - BY_HOUR) * own + byHour * hour
  return {
    bought: Math.floor(factor * mixed(bought, usual.size * buyPart)),
    sold: Math.floor(factor * mixed(own.size - bought, usual.size * (1 - buyPart))),
    boughtCents: Math.floor(rate * mixed(cents, usual.cents * buyPart)),
    soldCents: Math.floor(rate * mixed(own.cents - cents, usual.cents * (1 - buyPart))),
  }
}

/** Expected flow of a part of an hour at the rate of the hour before. */
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

/** Input of another exchange's prices. */
type FirstPrice = Pick<InstrumentRow, 'firstPx'>

/** A venue price shifted by a fraction, on the exchange's tick. */
export function pairPrice(of: FirstPrice, exchange: Exchange, own: Px, basis: number): Px {
  const step = tickOf(of, exchange)
  return px(Math.max(step, Math.round((raw(own) * (1 + basis)) / step) * step))
}

/** The exchange's tick in price units. It follows the tape's first price, so it never changes. */
export function tickOf({ firstPx }: FirstPrice, { tick: { figures, step } }: Exchange): number {
  const surplus = digitsOf(firstPx === null ? 1 : raw(firstPx)) - figures
  return surplus < 0 ? 1 : step * pow10(surplus)
}

function digitsOf(units: number): number {
  let digits = 1
  for (let limit = 10; limit <= units; limit *= 10) digits++
  return digits
}

// Venue minutes as input of other exchanges; finished ones are cached.

/** Plain numbers: price units, size units, cents. */
interface OwnSpan {
  /** Last price before; null before the first trade. */
  before: number | null
  /** Prices of its trades; null without any. */
  prices: { open: number; low: number; high: number; close: number } | null
  size: number
  boughtSize: number
  cents: number
  boughtCents: number
}

export const CENTS_DECIMALS = 2
/** Hours kept in memory, 10 kB each. */
const HOURS_KEPT = 1_500

export const minuteOf = (timeMs: number) => tapeMs(Math.floor(timeMs / MINUTE_MS) * MINUTE_MS)
export const hourOf = (timeMs: number) => tapeMs(Math.floor(timeMs / HOUR_MS) * HOUR_MS)

/** A span that lies within a minute of the tape's clock. */
export function ownSpan(world: World, of: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): OwnSpan {
  if (toMs - fromMs < MINUTE_MS) return readSpan(world, of, fromMs, toMs)
  const hourMs = hourOf(fromMs)
  const minutes = keptHours(world).get(keyOf(of, hourMs), () => [])
  const at = (fromMs - hourMs) / MINUTE_MS
  const span = minutes[at] ?? readSpan(world, of, fromMs, toMs)
  minutes[at] = span
  return span
}

/** The full hour before that of an instant. */
function ownHourBefore(world: World, of: InstrumentRow, atMs: TapeMs): OwnSpan {
  const hourMs = hourOf(atMs)
  return keptBefore(world).get(keyOf(of, hourMs), () =>
    readSpan(world, of, later(hourMs, -HOUR_MS), hourMs),
  )
}

const keptHours = perWorld(() => new Cache<number, OwnSpan[]>(HOURS_KEPT))
const keptBefore = perWorld(() => new Cache<number, OwnSpan>(10 * HOURS_KEPT))

const keyOf = ({ id }: InstrumentRow, hourMs: number) => id * 2 ** 32 + hourMs / HOUR_MS

function readSpan(world: World, { id }: InstrumentRow, fromMs: TapeMs, toMs: TapeMs): OwnSpan {
  const hours = tradeHoursOf(world)
  const tally = hours.tally(id, fromMs, toMs)
  const { open, low, high, close } = tally
  const before = hours.pxBefore(id, fromMs)
  const cents = 10 ** (CENTS_DECIMALS - MONEY_DECIMALS)
  return {
    before: before === null ? null : raw(before),
    prices: tally.isEmpty
      ? null
      : { open: raw(open), low: raw(low), high: raw(high), close: raw(close) },
    size: raw(tally.size),
    boughtSize: raw(tally.buySize),
    cents: Number(tally.amount) * cents,
    boughtCents: Number(tally.buyAmount) * cents,
  }
}
