/** Candles of a pair: those of the own venue, or derived from them. */
import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import type { KlineValues } from '../../../contract/records/indicator.ts'
import type { Px } from '../../../decimal/quantity.ts'
import { type PairTally, pairTally } from '../../exchanges/pair-tallies.ts'
import type { Pair } from '../../exchanges/pairs.ts'
import { tradeHoursOf } from '../../rows/trade-hours.ts'
import { pxText, szText } from '../../schema.ts'
import type { World } from '../../world.ts'
import { type KlineAnchor, type KlineClock, klineEdges } from './kline-clock.ts'

/** Oldest first; intervals without trades are left out. */
export function pairKlines(
  world: World,
  pair: Pair,
  clock: KlineClock,
  range: { reach: KlineAnchor; size: number; atMs: TapeMs },
): KlineValues[] {
  const starts = range.reach.end === 'oldest' ? scanForward(world, pair, clock, range) : null
  const found = starts ?? scanBackward(world, pair, clock, range)
  return found.flatMap((startMs) => {
    const endMs = tapeMs(Math.min(startMs + clock.lengthMs, range.atMs + 1))
    const tally = pairTally(world, pair, startMs, endMs)
    return tally === null ? [] : [klineValues(pair, clock.seconds(startMs), tally)]
  })
}

type PairKlineScan = Parameters<typeof pairKlines>[3]

/** Beginnings of the newest intervals that hold trades. */
function scanBackward(
  world: World,
  { instrument }: Pair,
  clock: KlineClock,
  { reach, size, atMs }: PairKlineScan,
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

function scanForward(
  world: World,
  { instrument }: Pair,
  clock: KlineClock,
  { reach, size, atMs }: PairKlineScan,
): TapeMs[] {
  const firstMs = tradeHoursOf(world).firstMs(instrument.id)
  return klineEdges(clock, reach, { size, firstMs, atMs }).slice(0, -1)
}

function klineValues({ instrument }: Pair, seconds: number, tally: PairTally): KlineValues {
  const px = (value: Px) => pxText(instrument, value)
  const size = szText(instrument, tally.size)
  return [seconds, px(tally.open), px(tally.high), px(tally.low), px(tally.close), size]
}
