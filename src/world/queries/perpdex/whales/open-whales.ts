/** Whales at an instant. */
import { sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { TapeMs } from '../../../../clock/instant.ts'
import { type Px, type Sz, type Usd, ZERO } from '../../../../decimal/quantity.ts'
import { positionValue } from '../../../accounting/margin.ts'
import { perWorld } from '../../../per-world.ts'
import { columns } from '../../../rows/columns.ts'
import { markPx } from '../../../rows/mark-prices.ts'
import { fill, type InstrumentRow, position } from '../../../schema.ts'
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
  const sizes = sizesAt(world, atMs, near)
  return near.flatMap((candidate, at) => {
    const sz = sizes[at] ?? ZERO
    const value = positionValue(sz, markOf(candidate.instrument), candidate.instrument)
    return value > WHALE_VALUE ? [{ ...candidate, sz, value }] : []
  })
}

/** Signed sizes, in the order of the positions. */
function sizesAt(world: World, atMs: TapeMs, positions: readonly WhaleCandidate[]): (Sz | null)[] {
  const ids = JSON.stringify(positions.map(({ id }) => id))
  return sizeStatement(world)
    .all(atMs, ids)
    .map(({ sz }) => sz)
}

const [f, p] = [alias(fill, 'f'), alias(position, 'p')]
const SIZES = columns({
  sz: sql<Sz | null>`(select ${f.positionAfter} from fill f where ${f.trader} = ${p.trader}
    and ${f.instrument} = ${p.instrument} and ${f.timeMs} <= ?1
    order by ${f.timeMs} desc, ${f.id} desc limit 1)`,
})

const sizeStatement = perWorld(({ db }) =>
  SIZES.prepare<[atMs: TapeMs, ids: string]>(
    db,
    'from json_each(?2) j join position p on p.id = j.value order by j.key',
  ),
)
