/** Whales at an instant. */
import type { TapeMs } from '../../../../clock/instant.ts'
import { type Px, type Sz, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { traderHistories } from '../../../rows/trader-histories.ts'
import { holdingOf } from '../../../rows/trader-history.ts'
import type { InstrumentRow } from '../../../schema.ts'
import type { World } from '../../../world.ts'
import { openWhaleCandidates, WHALE_VALUE, type WhaleCandidate } from './whale-candidates.ts'

/** An open position that is worth more than a whale's at the mark price. */
export interface Whale extends WhaleCandidate {
  /** Signed. */
  sz: Sz
  value: Usd
}

/** All of them, in no order. */
export function whalesAt(world: World, atMs: TapeMs): Whale[] {
  const marks = new Map<InstrumentRow, Px>()
  const markOf = (of: InstrumentRow): Px => {
    const px = marks.get(of) ?? markPx(world, of, atMs) ?? ZERO
    marks.set(of, px)
    return px
  }
  const near = openWhaleCandidates(world, atMs).filter(
    ({ instrument, maxSz }) => positionValue(maxSz, markOf(instrument), instrument) > WHALE_VALUE,
  )
  return near.flatMap((candidate) => {
    const sz = sizeOf(world, candidate, atMs)
    const value = positionValue(sz, markOf(candidate.instrument), candidate.instrument)
    return value > WHALE_VALUE ? [{ ...candidate, sz, value }] : []
  })
}

/** Signed. */
function sizeOf(world: World, { trader, instrument }: WhaleCandidate, atMs: TapeMs): Sz {
  const holding = holdingOf(traderHistories(world).of(trader), instrument)
  return holding ? holding.sz(holding.lastUpTo(atMs)) : ZERO
}
