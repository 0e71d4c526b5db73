/** The two sides of the whales over time. */

import type { TapeMs } from '../../../clock/instant.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { WhaleRatio } from '../../../contract/records/whale.ts'
import { raw } from '../../../decimal/quantity.ts'
import { MONEY_DECIMALS } from '../../schema.ts'
import type { World } from '../../world.ts'
import { fractionText } from '../fraction.ts'
import { gridOf } from '../grid.ts'
import { perWorld } from '../per-world.ts'
import { wideText } from '../wording.ts'
import { whalesAt } from './standing.ts'

/** The latest `limit` instants at whole intervals, oldest first. */
export function ratiosOf(
  world: World,
  moment: Moment,
  intervalMs: number,
  limit: number,
): WhaleRatio[] {
  const times = gridOf(moment, intervalMs, world.meta.storyStartMs, limit)
  return times.map((timeMs) => ratio(timeMs, sidesAt(world)(timeMs)))
}

interface Sides {
  count: { long: number; short: number }
  /** Micro-dollars. */
  value: { long: bigint; short: bigint }
}

function ratio(time: number, { count, value }: Sides): WhaleRatio {
  return {
    time,
    longRatio: fractionText(BigInt(count.long), BigInt(count.long + count.short)),
    positionValueDiff: wideText(value.long - value.short, MONEY_DECIMALS),
    longPositionValueRatio: fractionText(value.long, value.long + value.short),
  }
}

/** What was once, stays: instants that were asked for are kept. */
const sidesAt = perWorld((world) => {
  const known = new Map<number, Sides>()
  return (timeMs: TapeMs): Sides => {
    const before = known.get(timeMs)
    if (before) return before
    const sides = sidesOf(world, timeMs)
    if (known.size >= KEPT) known.clear()
    known.set(timeMs, sides)
    return sides
  }
})

const KEPT = 10_000

function sidesOf(world: World, timeMs: TapeMs): Sides {
  const sides: Sides = { count: { long: 0, short: 0 }, value: { long: 0n, short: 0n } }
  for (const { direction, value } of whalesAt(world, timeMs)) {
    sides.count[direction]++
    sides.value[direction] += BigInt(raw(value))
  }
  return sides
}
