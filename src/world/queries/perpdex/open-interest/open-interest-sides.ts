/** What the open positions of a perpetual amount to at an instant. */

import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { later, type TapeMs } from '../../../../clock/instant.ts'
import { ratio, raw, type Sz, sz as size, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { interestValue } from '../../../rows/interest-value.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { crowdLongAt, openInterestAt } from '../../../rows/open-interest.ts'
import { tradeHoursOf } from '../../../rows/trade-hours.ts'
import { fill, type InstrumentRow, MONEY_DECIMALS } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { openPositionCounts } from './open-position-counts.ts'

/** Counts, and values in micro-dollars. */
export interface OpenInterestSides {
  longCount: number
  shortCount: number
  longValue: bigint
  shortValue: bigint
}

/**
 * All open positions. The sum of the long sizes is the open interest, that of the short ones too,
 * and each is valued at the mark price at once.
 */
export function openInterestSides(
  world: World,
  of: InstrumentRow,
  atMs: TapeMs,
): OpenInterestSides {
  const count = openPositionCounts(world)
  const crowd = crowdPositions(of, crowdLongAt(world, of, atMs) ?? ZERO)
  const sz = openInterestAt(world, of, atMs) ?? ZERO
  const value = interestValue(of, sz, markPx(world, of, atMs) ?? ZERO)
  return {
    longCount: count(of.id, 'long', atMs) + crowd,
    shortCount: count(of.id, 'short', atMs) + crowd,
    longValue: value,
    shortValue: value,
  }
}

/** A position of the crowd is worth so much on average, at the tape's first price. */
const CROWD_POSITION = 20_000 * 1e6

/** How many positions of one side the crowd's share of the open interest is. */
const crowdPositions = (of: InstrumentRow, sz: Sz) =>
  of.firstPx === null ? 0 : Math.ceil(Number(interestValue(of, sz, of.firstPx)) / CROWD_POSITION)

/**
 * Only the open positions that were opened after fromMs. Of the crowd's, that is the less the
 * smaller what has been traded since is against them.
 */
export function openInterestSince(
  world: World,
  of: InstrumentRow,
  fromMs: TapeMs,
  atMs: TapeMs,
): OpenInterestSides {
  const px = markPx(world, of, atMs) ?? ZERO
  const sides = crowdSince(world, of, fromMs, atMs)
  for (const { sz } of openedSince(world).all(of.id, atMs, fromMs)) {
    const value = BigInt(raw(positionValue(sz, px, of)))
    if (sz > ZERO) {
      sides.longCount++
      sides.longValue += value
    } else {
      sides.shortCount++
      sides.shortValue += value
    }
  }
  return sides
}

function crowdSince(world: World, of: InstrumentRow, fromMs: TapeMs, atMs: TapeMs) {
  const all = crowdLongAt(world, of, atMs) ?? ZERO
  const traded = tradeHoursOf(world).tally(of.id, later(fromMs, 1), later(atMs, 1)).size
  const isAll = fromMs <= world.meta.historyStartMs || all === ZERO
  const opened = isAll ? 1 : 1 - Math.exp(-ratio(traded, all) / 2)
  const sz = size(Math.round(raw(all) * opened))
  const count = crowdPositions(of, sz)
  const value = interestValue(of, sz, markPx(world, of, atMs) ?? ZERO)
  return { longCount: count, shortCount: count, longValue: value, shortValue: value }
}

/** The sum of two. */
export function addSides(a: OpenInterestSides, b: OpenInterestSides): OpenInterestSides {
  return {
    longCount: a.longCount + b.longCount,
    shortCount: a.shortCount + b.shortCount,
    longValue: a.longValue + b.longValue,
    shortValue: a.shortValue + b.shortValue,
  }
}

export const NO_OPEN_INTEREST: OpenInterestSides = {
  longCount: 0,
  shortCount: 0,
  longValue: 0n,
  shortValue: 0n,
}

/** Open positions of both directions. */
export const positionCount = ({ longCount, shortCount }: OpenInterestSides) =>
  longCount + shortCount
/** What they are worth, micro-dollars. */
export const totalValue = ({ longValue, shortValue }: OpenInterestSides) => longValue + shortValue

/** As the service writes it. */
export function openInterestRecord(sides: OpenInterestSides) {
  const [count, total] = [BigInt(positionCount(sides)), totalValue(sides)]
  return {
    positionCount: positionCount(sides),
    longPv: usd(sides.longValue),
    shortPv: usd(sides.shortValue),
    totalPv: usd(total),
    avgPv: usd(count === 0n ? 0n : (2n * total + count) / (2n * count)),
  }
}

const usd = (micros: bigint) => bigintText(micros, MONEY_DECIMALS)

const f = alias(fill, 'f')
const SIZE = columns({
  sz: sql<Sz>`(select ${f.positionAfter} from fill f where f.trader = p.trader
    and f.instrument = p.instrument and f.timeMs <= ?2 order by f.timeMs desc, f.id desc limit 1)`,
})

const openedSince = perWorld(({ db }) =>
  SIZE.prepare<[instrument: number, atMs: TapeMs, fromMs: TapeMs]>(
    db,
    `from position p where p.instrument = ?1 and p.openMs > ?3 and p.openMs <= ?2
       and (p.closeMs is null or p.closeMs > ?2)`,
  ),
)
