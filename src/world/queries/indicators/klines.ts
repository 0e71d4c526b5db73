/** Candles of a pair: those of the own venue, or derived from them. */
import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { KlineValues } from '../../../contract/records/indicator.ts'
import type { Px } from '../../../decimal/quantity.ts'
import { pxText, szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import type { Pair } from '../pairs.ts'
import type { Tally } from '../tally.ts'
import { tradeHoursOf } from '../trade-hours.ts'
import { type Clock, edgesOf, type Reach } from './spans.ts'
import { partOf, priceOn, scaled } from './venue.ts'

/** Oldest first; intervals without trades are left out. */
export function klinesOf(
  world: World,
  pair: Pair,
  clock: Clock,
  asked: { reach: Reach; size: number; atMs: TapeMs },
): KlineValues[] {
  const part = partOf(world, pair)
  const starts = asked.reach.end === 'oldest' ? forward(world, pair, clock, asked) : null
  const found = starts ?? backward(world, pair, clock, asked)
  const hours = tradeHoursOf(world)
  return found.flatMap((startMs) => {
    const endMs = tapeMs(Math.min(startMs + clock.lengthMs, asked.atMs + 1))
    const tally = hours.tally(pair.instrument.id, startMs, endMs)
    return tally.n === 0 ? [] : [values(pair, part, clock.seconds(startMs), tally)]
  })
}

type Asked = Parameters<typeof klinesOf>[3]

/** Beginnings of the newest intervals that hold trades. */
function backward(
  world: World,
  { instrument }: Pair,
  clock: Clock,
  { reach, size, atMs }: Asked,
): TapeMs[] {
  const hours = tradeHoursOf(world)
  const starts: TapeMs[] = []
  let beforeMs = tapeMs(Math.min(clock.startOf(reach.timeMs) + clock.lengthMs, atMs + 1))
  while (starts.length < size) {
    const last = hours.lastBefore(instrument.id, beforeMs)
    if (last === null) break
    const startMs = clock.startOf(last.timeMs)
    starts.push(startMs)
    beforeMs = startMs
  }
  return starts.reverse()
}

function forward(
  world: World,
  { instrument }: Pair,
  clock: Clock,
  { reach, size, atMs }: Asked,
): TapeMs[] {
  const firstMs = tradeHoursOf(world).firstMs(instrument.id)
  return edgesOf(clock, reach, { size, firstMs, atMs }).slice(0, -1)
}

function values(pair: Pair, part: number, seconds: number, tally: Tally): KlineValues {
  const { instrument } = pair
  const px = (value: Px) => pxText(instrument, priceOn(pair, value))
  const size = szText(instrument, scaled(tally.size, part))
  return [seconds, px(tally.open), px(tally.high), px(tally.low), px(tally.close), size]
}
