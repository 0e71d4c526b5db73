/** The two sides of the whales over time. */

import type { TapeMs } from '../../../../clock/instant.ts'
import type { Slices } from '../../../../clock/turns.ts'
import type { Moment } from '../../../../contract/facts.ts'
import type { WhaleRatio } from '../../../../contract/records/whale.ts'
import { raw } from '../../../../decimal/quantity.ts'
import { Cache } from '../../../cache.ts'
import { bigintText } from '../../../formatting/decimal-text.ts'
import { fractionText } from '../../../formatting/fraction.ts'
import { perWorld } from '../../../per-world.ts'
import { MONEY_DECIMALS } from '../../../schema.ts'
import { timeGrid } from '../../../shown-time/time-grid.ts'
import type { World } from '../../../world.ts'
import { whalesAt } from './open-whales.ts'

/** The latest `limit` instants at whole intervals, oldest first. */
export function* longShortRatios(
  world: World,
  moment: Moment,
  intervalMs: number,
  limit: number,
): Slices<WhaleRatio[]> {
  const times = timeGrid(moment, intervalMs, world.meta.historyStartMs, limit)
  const ratios: WhaleRatio[] = []
  for (const timeMs of times) {
    ratios.push(ratioRecord(timeMs, cachedSides(world)(timeMs)))
    yield
  }
  return ratios
}

interface WhaleSides {
  count: { long: number; short: number }
  /** Micro-dollars. */
  value: { long: bigint; short: bigint }
}

function ratioRecord(time: number, { count, value }: WhaleSides): WhaleRatio {
  return {
    time,
    longRatio: fractionText(BigInt(count.long), BigInt(count.long + count.short)),
    positionValueDiff: bigintText(value.long - value.short, MONEY_DECIMALS),
    longPositionValueRatio: fractionText(value.long, value.long + value.short),
  }
}

/** The past never changes, so instants once computed are cached. */
const cachedSides = perWorld((world) => {
  const cached = new Cache<number, WhaleSides>(CACHE_LIMIT)
  return (timeMs: TapeMs): WhaleSides => cached.get(timeMs, () => whaleSides(world, timeMs))
})

const CACHE_LIMIT = 10_000

function whaleSides(world: World, timeMs: TapeMs): WhaleSides {
  const sides: WhaleSides = { count: { long: 0, short: 0 }, value: { long: 0n, short: 0n } }
  for (const { direction, value } of whalesAt(world, timeMs)) {
    sides.count[direction]++
    sides.value[direction] += BigInt(raw(value))
  }
  return sides
}
