import type { RandomSource } from '../../random/random-source.ts'
import type { MakerFill } from './event-maker.ts'
import type { SynthLevel } from './synth-book.ts'

/** How many makers one taker meets at a price at most, and how likely each further one is. */
const MAKERS_MAX = 4
const NEXT_MAKER_ODDS = 0.22
/** As many as these make; with more, each price has more makers. */
const USUAL_FILLS = 1.6
const MANY_MAKERS = 60

/** The makers' orders that the lots taken from one level came from. */
export function makerFills(
  { tick, lots, orders }: SynthLevel,
  random: RandomSource,
  perOrder = 1,
): MakerFill[] {
  const fills: MakerFill[] = []
  const isUsual = perOrder <= USUAL_FILLS
  const odds = isUsual ? NEXT_MAKER_ODDS : 1 - 1 / perOrder
  // Where orders meet many makers, a level has more of them than a book tells.
  const most = isUsual ? Math.min(orders, MAKERS_MAX) : MANY_MAKERS
  let left = lots
  for (let further = most - 1; further > 0 && left > 2; further--) {
    if (!random.chance(odds)) break
    const part = Math.min(left - 1, Math.max(1, Math.round(left * (0.15 + 0.7 * random.unit()))))
    fills.push({ tick, lots: part })
    left -= part
  }
  fills.push({ tick, lots: left })
  return fills
}
