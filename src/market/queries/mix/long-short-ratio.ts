/** How many accounts are long for each that is short, of the coin that leads the market. */

import { DAY_MS } from '../../../clock/durations.ts'
import { later, type TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { LongShortRatio } from '../../../contract/records/mix.ts'
import { format } from '../../../decimal/scaled.ts'
import { perpOfCoin } from '../../exchanges/contracts.ts'
import { interestFactor } from '../../exchanges/exchange-interest.ts'
import { exchangesListing } from '../../exchanges/exchanges.ts'
import { longPart } from '../../exchanges/long-short-parts.ts'
import { minuteOf } from '../../exchanges/own-minutes.ts'
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

/**
 * The long part of the accounts of each exchange, weighted by its open interest; null before all.
 */
function* meanLongPart(world: World, of: InstrumentRow, atMs: TapeMs): Slices<number | null> {
  const [own] = yield* longShortSlices(world, of, [later(atMs, 1)])
  if (own === undefined || own.longs.accounts === 0) return null
  let [sum, weights] = [0, 0]
  for (const exchange of exchangesListing(of)) {
    yield
    const part =
      exchange === null
        ? own.longs.accounts / (own.longs.accounts + own.shorts.accounts)
        : longPart(world, { instrument: of, exchange, market: 'swap' }, 'accounts', atMs)
    const weight = interestFactor(world, exchange, of, minuteOf(atMs))
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
