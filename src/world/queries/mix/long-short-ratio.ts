/** How many accounts are long for each that is short, of the coin that leads the market. */
import { later } from '../../../clock/instant.ts'
import type { Moment } from '../../../contract/facts.ts'
import type { LongShortRatio } from '../../../contract/records/mix.ts'
import { format, mulDiv } from '../../../decimal/scaled.ts'
import { perpOfCoin } from '../../exchanges/contracts.ts'
import { longShortAt } from '../../rows/long-short-positions.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'

const DAY_MS = 86_400_000

/** null without a perpetual. */
export function longShortRatio(world: World, { atMs }: Moment): LongShortRatio | null {
  const of = leadingPerp(world)
  if (of === null) return null
  const agoMs = [7 * DAY_MS, DAY_MS, 0]
  const [week = '0', day = '0', now = '0'] = longShortAt(
    world,
    of,
    agoMs.map((ms) => later(atMs, 1 - ms)),
  ).map(({ longs, shorts }) => ratioText(longs.accounts, shorts.accounts))
  return { last: now, last_day: day, last_week: week }
}

/** Bitcoin, or the first perpetual of a world without it. */
export const leadingPerp = (world: World): InstrumentRow | null =>
  perpOfCoin(world, 'btc') ?? world.instruments.find(({ kind }) => kind === 'perp') ?? null

const PLACES = 4

/** 0 when there is no short. */
const ratioText = (long: number, short: number) =>
  format(short === 0 ? 0 : mulDiv(long, 10 ** PLACES, short), PLACES, PLACES)
