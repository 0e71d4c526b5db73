/** Ratio of long to short accounts of the leading coin. */

import { DAY_MS, later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { LongShortRatio } from '../../../contract/records/mix.ts'
import { format } from '../../../decimal/quantity.ts'
import { openInterestFactor } from '../../exchanges/exchange-open-interest.ts'
import { exchangesListing, perpOfCoin } from '../../exchanges/exchanges.ts'
import { longPart } from '../../exchanges/long-short-parts.ts'
import { minuteOf } from '../../exchanges/pair-minutes.ts'
import { longShortSlices } from '../../rows/long-short-positions.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import type { World } from '../../world/world.ts'

/** Over all exchanges; null without a perpetual. */
export function* longShortRatio(world: World, { atMs }: Moment): Slices<LongShortRatio | null> {
  const of = leadingPerp(world)
  if (of === null) return null
  const parts: (number | null)[] = []
  for (const days of [0, 1, 7])
    parts.push(yield* meanLongPart(world, of, later(atMs, -days * DAY_MS)))
  const [last = '', day = '', week = ''] = parts.map(ratioText)
  return { last, last_day: day, last_week: week }
}

/** Bitcoin, or the first perpetual of a world without it. */
export const leadingPerp = (world: World): InstrumentRow | null =>
  perpOfCoin(world, 'btc') ?? world.listed.find(({ kind }) => kind === 'perp') ?? null

/** Long share of each exchange's accounts, weighted by open interest; null before all. */
function* meanLongPart(world: World, of: InstrumentRow, atMs: TapeMs): Slices<number | null> {
  const [own] = yield* longShortSlices(world, of, [later(atMs, 1)])
  if (own === undefined || own.longs.accounts === 0) return null
  let [sum, weights] = [0, 0]
  for (const exchange of exchangesListing(world, of)) {
    yield
    const part =
      exchange === null
        ? own.longs.accounts / (own.longs.accounts + own.shorts.accounts)
        : longPart(world, { instrument: of, exchange, market: 'swap' }, 'accounts', atMs)
    const weight = openInterestFactor(world, exchange, of, minuteOf(atMs))
    sum += weight * part
    weights += weight
  }
  return sum / weights
}

const PLACES = 4

/** 0 before the first position, and when there is no short. */
const ratioText = (part: number | null) =>
  format(
    part === null || part === 1 ? 0 : Math.round((10 ** PLACES * part) / (1 - part)),
    PLACES,
    PLACES,
  )
