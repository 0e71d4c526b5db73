/**
 * What is said of a coin as a whole: the sums of what is said of each of its pairs, the own venue's
 * and those of other exchanges, perpetuals and spot, in the units of the coin's market.
 */

import type { TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { raw } from '../../decimal/quantity.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { roundOff } from '../formatting/decimal-text.ts'
import { type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'
import { perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { pairTally, readPair } from './pair-tallies.ts'
import { type Pair, pairsOf } from './pairs.ts'

/** Sums over all pairs of a coin. */
export interface CoinTotals {
  /** At `sizeDecimals`. */
  size: bigint
  sizeDecimals: number
  /**
   * Turnover, and what takers bought less what they sold: sums of what each pair shows, to the
   * cent.
   */
  cents: bigint
  inflowCents: bigint
}

/** What was traded of a coin in [fromMs, toMs), pair by pair. */
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
