/** Whales as they stand at an instant. */
import { positionValue } from '../../accounting/margin.ts'
import type { InstrumentRow } from '../../schema.ts'
import type { World } from '../../world.ts'
import { perWorld } from '../per-world.ts'
import { markPx } from '../purse.ts'
import { type Candidate, openCandidates, WHALE_VALUE } from './candidates.ts'

/** An open position that is worth more than a whale's at the mark price. */
export interface Whale extends Candidate {
  /** Signed. */
  sz: number
  /** Micro-dollars. */
  value: number
}

/** All of them, in no order. */
export function whalesAt(world: World, atMs: number): Whale[] {
  const marks = new Map<InstrumentRow, number>()
  const markOf = (of: InstrumentRow) => {
    const px = marks.get(of) ?? markPx(world, of, atMs) ?? 0
    marks.set(of, px)
    return px
  }
  const near = openCandidates(world, atMs).filter(
    ({ instrument, maxSz }) => positionValue(maxSz, markOf(instrument), instrument) > WHALE_VALUE,
  )
  const sizes = sizesAt(world, atMs, near)
  return near.flatMap((candidate, at) => {
    const sz = sizes[at] ?? 0
    const value = positionValue(sz, markOf(candidate.instrument), candidate.instrument)
    return value > WHALE_VALUE ? [{ ...candidate, sz, value }] : []
  })
}

/** Signed sizes, in the order of the positions. */
function sizesAt(world: World, atMs: number, positions: readonly Candidate[]): number[] {
  const ids = JSON.stringify(positions.map(({ id }) => id))
  return (sizes(world).values(atMs, ids) as [number][]).map(([sz]) => sz)
}

const sizes = perWorld(({ db }) =>
  db.prepare(
    `select (select f.positionAfter from fill f where f.trader = p.trader
       and f.instrument = p.instrument and f.timeMs <= ?1 order by f.timeMs desc, f.id desc limit 1)
     from json_each(?2) j join position p on p.id = j.value order by j.key`,
  ),
)
