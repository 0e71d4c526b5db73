import type { RandomSource } from '../../random/random-source.ts'
import type { MakerFill } from './event-maker.ts'
import type { SynthLevel } from './synth-book.ts'

/** How many makers one taker meets at a price at most, and how likely each further one is. */
const MAKERS_MAX = 4
const NEXT_MAKER_ODDS = 0.22

/** The makers' orders that the lots taken from one level came from. */
export function makerFills({ tick, lots, orders }: SynthLevel, random: RandomSource): MakerFill[] {
  const fills: MakerFill[] = []
  let left = lots
  for (let further = Math.min(orders, MAKERS_MAX) - 1; further > 0 && left > 2; further--) {
    if (!random.chance(NEXT_MAKER_ODDS)) break
    const part = Math.min(left - 1, Math.max(1, Math.round(left * (0.15 + 0.7 * random.unit()))))
    fills.push({ tick, lots: part })
    left -= part
  }
  fills.push({ tick, lots: left })
  return fills
}
