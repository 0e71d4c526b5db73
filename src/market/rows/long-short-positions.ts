/** What all accounts hold of a perpetual at some instants. */

import { later, type TapeMs } from '../../clock/instant.ts'
import type { Slices } from '../../clock/turns.ts'
import { absolute, add, negate, portion, raw, type Sz, sz, ZERO } from '../../decimal/quantity.ts'
import { CROWD, type InstrumentRow } from '../schema/schema.ts'
import { Cache } from '../world/cache.ts'
import { perWorld } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { tradeSpansOf } from './trade-spans.ts'
import { traderHistories } from './trader-histories.ts'
import { holdingOf } from './trader-history.ts'
import { tradersOf } from './traders.ts'

/** Counts of accounts, and sums of their positions. */
export interface LongShortPositions {
  longs: SidePositions
  shorts: SidePositions
  /** Of the largest fifth of the positions. */
  topLongs: SidePositions
  topShorts: SidePositions
}

export interface SidePositions {
  accounts: number
  sz: Sz
  /** What lies beyond their margin: size x (1 - 1 / leverage). */
  borrowed: Sz
}

/** Positions as of each instant: all trades before it, an instant a slice. The instants rise. */
export function* longShortSlices(
  world: World,
  of: InstrumentRow,
  instantsMs: readonly TapeMs[],
): Slices<LongShortPositions[]> {
  const firstMs = instantsMs[0]
  if (firstMs === undefined) return []
  const spans = tradeSpansOf(world)
  let span = spans.at(of.id, later(firstMs, -1))
  const held = new Map(yield* positionsBefore(world)(of, span.startMs))
  let at = 0
  const counted: LongShortPositions[] = []
  for (const instantMs of instantsMs) {
    yield
    for (;;) {
      const { timesMs, buyers, sellers, sizes, endMs } = span
      for (; at < timesMs.length && (timesMs[at] as number) < instantMs; at++) {
        const traded = sz(sizes[at] as number)
        applyTrade(held, buyers[at] as number, traded)
        applyTrade(held, sellers[at] as number, negate(traded))
      }
      if (instantMs <= endMs) break
      span = spans.at(of.id, endMs)
      at = 0
    }
    counted.push(longShortOf(world, of, held))
  }
  return counted
}

/** Positions by trader.id; flat ones are left out. */
type PositionsByTrader = ReadonlyMap<number, Sz>

function applyTrade(held: Map<number, Sz>, trader: number, by: Sz): void {
  if (trader === CROWD) return
  const after = add(held.get(trader) ?? ZERO, by)
  if (after === ZERO) held.delete(trader)
  else held.set(trader, after)
}

function longShortOf(world: World, of: InstrumentRow, held: PositionsByTrader): LongShortPositions {
  const leverage = leveragesOf(world)
  const sizes = Float64Array.from(held.values(), (one) => raw(absolute(one))).sort()
  const top = sz(sizes[sizes.length - Math.ceil(sizes.length / 5)] ?? 0)
  const sides = {
    longs: emptySide(),
    shorts: emptySide(),
    topLongs: emptySide(),
    topShorts: emptySide(),
  }
  for (const [trader, position] of held) {
    const size = absolute(position)
    const borrowed = borrowedSize(size, leverage(of, trader))
    count(position > ZERO ? sides.longs : sides.shorts, size, borrowed)
    if (size >= top) count(position > ZERO ? sides.topLongs : sides.topShorts, size, borrowed)
  }
  return sides
}

const emptySide = (): SidePositions => ({ accounts: 0, sz: ZERO, borrowed: ZERO })

const borrowedSize = (size: Sz, leverage: number) => portion(size, leverage - 1, leverage)

function count(to: SidePositions, size: Sz, borrowed: Sz): void {
  to.accounts++
  to.sz = add(to.sz, size)
  to.borrowed = add(to.borrowed, borrowed)
}

/** Instants of which positions are kept. */
const CACHE_LIMIT = 200

/** Positions of an instrument before an instant. */
const positionsBefore = perWorld((world) => {
  const cached = new Cache<string, PositionsByTrader>(CACHE_LIMIT)
  return function* read(of: InstrumentRow, timeMs: TapeMs): Slices<PositionsByTrader> {
    const key = `${of.id}/${timeMs}`
    const known = cached.find(key)
    if (known) return known
    const held = new Map<number, Sz>()
    for (const { id } of tradersOf(world).list) {
      // Each may have to be unpacked.
      yield
      const holding = holdingOf(traderHistories(world).of(id), of)
      const size = holding ? holding.sz(holding.lastUpTo(later(timeMs, -1))) : ZERO
      if (size !== ZERO) held.set(id, size)
    }
    return cached.put(key, held)
  }
})

/** Leverage that a trader has set on an instrument; it never changes. */
const leveragesOf = perWorld((world) => {
  const known = new Map<number, number>()
  return (of: InstrumentRow, trader: number): number => {
    const key = of.id * 2 ** 32 + trader
    const before = known.get(key)
    if (before !== undefined) return before
    const held = holdingOf(traderHistories(world).of(trader), of)
    if (held) known.set(key, held.leverage)
    return held?.leverage ?? 1
  }
})
