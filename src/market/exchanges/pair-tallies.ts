/**
 * Trades of a pair. The venue's are rows; another exchange's are derived from them minute by
 * minute. Parts of minutes add up to minutes, so any spans add up.
 */

import { HOUR_MS, later, MINUTE_MS, type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { greater, lesser, type Px, pow10, px, raw, type Sz, sz } from '../../decimal/quantity.ts'
import { roundOff } from '../formatting/decimal-text.ts'
import { tradeHoursOf } from '../rows/trade-hours.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'
import { Cache, perWorld } from '../world/cache.ts'
import type { World } from '../world/world.ts'
import { EXCHANGES, motionsOf, type Pair, pairsOf } from './exchanges.ts'
import {
  CENTS_DECIMALS,
  type DerivedPair,
  hourOf,
  minuteOf,
  minutePart,
  type PairSums,
  pairPrice,
} from './pair-minutes.ts'

// Totals of a coin: sums of the values shown for each of its pairs, the venue's and those of other
// exchanges, perpetuals and spot, in the units of the coin's market.

/** Sums over all pairs of a coin. */
interface CoinTotals {
  /** At `sizeDecimals`. */
  size: bigint
  sizeDecimals: number
  /** Turnover, and net taker flow: sums of each pair's shown values, to the cent. */
  cents: bigint
  inflowCents: bigint
}

/** Trades of a coin in [fromMs, toMs), pair by pair. */
export function* coinTotals(
  world: World,
  { base }: Pick<InstrumentRow, 'base'>,
  fromMs: TapeMs,
  toMs: TapeMs,
): Slices<CoinTotals> {
  const pairs = pairsByBase(world).get(base) ?? []
  const sizeDecimals = Math.max(...pairs.map((pair) => pair.instrument.szDecimals))
  const totals = { size: 0n, sizeDecimals, cents: 0n, inflowCents: 0n }
  for (const pair of pairs) {
    yield* readPair(world, pair, fromMs, toMs)
    yield
    const tally = pairTally(world, pair, fromMs, toMs)
    if (tally === null) continue
    const unit = BigInt(pow10(sizeDecimals - pair.instrument.szDecimals))
    totals.size += BigInt(raw(tally.size)) * unit
    totals.cents += roundOff(tally.amount, MONEY_DECIMALS - 2)
    totals.inflowCents += roundOff(2n * tally.buyAmount - tally.amount, MONEY_DECIMALS - 2)
  }
  return totals
}

const pairsByBase = perWorld((world) =>
  Map.groupBy<string, Pair>(pairsOf(world).values(), ({ instrument }) => instrument.base),
)

/** Sums and prices of a span. Money in micro-dollars, on other exchanges whole cents. */
export interface PairTally {
  open: Px
  high: Px
  low: Px
  close: Px
  size: Sz
  buySize: Sz
  amount: bigint
  buyAmount: bigint
}

const MICROS_PER_CENT = 10n ** BigInt(MONEY_DECIMALS - CENTS_DECIMALS)
/** Cached hours of pairs, 100 bytes each, and those with their minutes, 4 kB. */
const HOURS_KEPT = 60_000
const DETAILED_KEPT = 2_000

/** Trades of a pair in [fromMs, toMs); null for none. */
export function pairTally(
  world: World,
  pair: Pair,
  fromMs: TapeMs,
  toMs: TapeMs,
): PairTally | null {
  if (isDerived(pair)) return derivedTally(world, pair, fromMs, toMs)
  const own = tradeHoursOf(world).tally(pair.instrument.id, fromMs, toMs)
  return own.isEmpty ? null : own
}

/** Loads the parts of a pair's sums of a span into memory, some hours a slice. */
export function* readPair(world: World, pair: Pair, fromMs: TapeMs, toMs: TapeMs): Slices<void> {
  yield* tradeHoursOf(world).read(pair.instrument.id, later(fromMs, -HOUR_MS), toMs)
  if (!isDerived(pair)) return
  const sums = derivedSumsOf(world)
  for (let hourMs = hourOf(fromMs); later(hourMs, HOUR_MS) <= toMs; hourMs = later(hourMs, HOUR_MS))
    if (sums.read(pair, hourMs)) yield
}

/** The last price before an instant; null before the first trade. */
export function pairPxBefore(world: World, pair: Pair, beforeMs: TapeMs): Px | null {
  const own = tradeHoursOf(world).pxBefore(pair.instrument.id, beforeMs)
  return own === null ? null : pairPxOf(world, pair, own, beforeMs)
}

/** A venue price converted to the pair at an instant. */
export function pairPxOf(world: World, pair: Pair, own: Px, atMs: TapeMs): Px {
  if (!isDerived(pair)) return own
  const { instrument, exchange, market } = pair
  const basis = motionsOf(world)(exchange, instrument, market).basisAt(atMs)
  return pairPrice(instrument, exchange, own, basis)
}

export const isDerived = (pair: Pair): pair is DerivedPair => pair.exchange !== null

function derivedTally(
  world: World,
  pair: DerivedPair,
  fromMs: TapeMs,
  toMs: TapeMs,
): PairTally | null {
  const sums = derivedSumsOf(world).between(pair, fromMs, toMs)
  if (sums === null || sums.bought + sums.sold === 0) return null
  const open = pairPxBefore(world, pair, fromMs) ?? px(sums.low)
  const close = pairPxBefore(world, pair, toMs) ?? px(sums.high)
  return {
    open,
    // Without a venue trade the price may still move.
    high: greater(px(sums.high), greater(open, close)),
    low: lesser(px(sums.low), lesser(open, close)),
    close,
    size: sz(sums.bought + sums.sold),
    buySize: sz(sums.bought),
    amount: BigInt(sums.boughtCents + sums.soldCents) * MICROS_PER_CENT,
    buyAmount: BigInt(sums.boughtCents) * MICROS_PER_CENT,
  }
}

const derivedSumsOf = perWorld((world) => new DerivedSums(world))

/** Sums of pairs on other exchanges; finished hours are cached. */
class DerivedSums {
  private readonly hours = new Cache<number, PairSums | 'none'>(HOURS_KEPT)
  private readonly minutes = new Cache<number, (PairSums | null)[]>(DETAILED_KEPT)

  constructor(private readonly world: World) {}

  between(pair: DerivedPair, fromMs: TapeMs, toMs: TapeMs): PairSums | null {
    let sums: PairSums | null = null
    for (let hourMs = hourOf(fromMs); hourMs < toMs; hourMs = later(hourMs, HOUR_MS)) {
      const endMs = later(hourMs, HOUR_MS)
      const isWhole = fromMs <= hourMs && endMs <= toMs
      const [beginMs, closeMs] = [Math.max(fromMs, hourMs), Math.min(toMs, endMs)]
      const next = isWhole
        ? this.hour(pair, hourMs)
        : this.part(pair, hourMs, tapeMs(beginMs), tapeMs(closeMs))
      sums = joined(sums, next)
    }
    return sums
  }

  /** Loads an hour into memory; returns whether it was missing. */
  read(pair: DerivedPair, hourMs: TapeMs): boolean {
    if (this.hours.find(keyOf(pair, hourMs)) !== undefined) return false
    this.hour(pair, hourMs)
    return true
  }

  private hour(pair: DerivedPair, hourMs: TapeMs): PairSums | null {
    const read = () => this.part(pair, hourMs, hourMs, later(hourMs, HOUR_MS)) ?? 'none'
    const sums = this.hours.get(keyOf(pair, hourMs), read)
    return sums === 'none' ? null : sums
  }

  /** The part of an hour in [fromMs, toMs), which lies within it. */
  private part(pair: DerivedPair, hourMs: TapeMs, fromMs: TapeMs, toMs: TapeMs): PairSums | null {
    const minutes = this.minutes.get(keyOf(pair, hourMs), () => [])
    let sums: PairSums | null = null
    for (let atMs = fromMs; atMs < toMs; ) {
      const endMs = tapeMs(Math.min(toMs, minuteOf(atMs) + MINUTE_MS))
      const at = (atMs - hourMs) / MINUTE_MS
      const isWhole = endMs - atMs === MINUTE_MS
      const known = isWhole ? minutes[at] : undefined
      const next = known === undefined ? minutePart(this.world, pair, atMs, endMs) : known
      if (isWhole) minutes[at] = next
      sums = joined(sums, next)
      atMs = endMs
    }
    return sums
  }
}

/** Sums of two consecutive spans. */
function joined(before: PairSums | null, next: PairSums | null): PairSums | null {
  if (before === null || next === null) return before ?? next
  return {
    low: Math.min(before.low, next.low),
    high: Math.max(before.high, next.high),
    bought: before.bought + next.bought,
    sold: before.sold + next.sold,
    boughtCents: before.boughtCents + next.boughtCents,
    soldCents: before.soldCents + next.soldCents,
  }
}

/** Hours are counted from 1970 and stay below 2^22; the rest numbers pairs. */
const keyOf = ({ instrument, exchange, market }: DerivedPair, hourMs: number) =>
  ((instrument.id * EXCHANGES.length + EXCHANGES.indexOf(exchange)) * 2 +
    (market === 'swap' ? 0 : 1)) *
    2 ** 22 +
  hourMs / HOUR_MS
