import { parse } from '../../../decimal/scaled.ts'
import type { BookLevel } from '../../../market/synth/synth-event.ts'
import type { InputBook, InputLevel } from '../../casting/tape-input.ts'
import type { Database } from '../../database.ts'
import type { InstrumentRow } from '../../schema.ts'

type Levels = [bids: InputLevel[], asks: InputLevel[]]

/** The book of an instrument at an instant, each side from the touch outward. */
export function knownBook(db: Database, { id }: InstrumentRow, atMs: number): InputBook {
  const keyframe = db
    .query<{ id: number; timeMs: number }, [number, number]>(
      `select id, timeMs from book where instrument = ? and keyframe = 1 and timeMs <= ?
       order by timeMs desc, id desc limit 1`,
    )
    .get(id, atMs)
  if (!keyframe) return { bids: [], asks: [] }
  const rows = db.query<{ levels: string }, [number, number, number, number]>(
    `select levels from book where instrument = ? and timeMs >= ? and timeMs <= ? and id >= ?
     order by timeMs, id`,
  )
  const [bids, asks] = [new Map<number, InputLevel>(), new Map<number, InputLevel>()]
  for (const { levels } of rows.all(id, keyframe.timeMs, atMs, keyframe.id)) {
    const [changedBids, changedAsks] = JSON.parse(levels) as Levels
    for (const level of changedBids) setLevel(bids, level)
    for (const level of changedAsks) setLevel(asks, level)
  }
  return { bids: sorted(bids, -1), asks: sorted(asks, 1) }
}

/** The levels of a side as whole numbers. */
export function wholeLevels(row: InstrumentRow, side: readonly InputLevel[]): BookLevel[] {
  return side.map(([px, sz, orders]) => ({
    px: parse(px, row.pxDecimals),
    lots: parse(sz, row.szDecimals),
    orders,
  }))
}

function setLevel(side: Map<number, InputLevel>, level: InputLevel): void {
  if (Number(level[1]) === 0) side.delete(Number(level[0]))
  else side.set(Number(level[0]), level)
}

function sorted(side: ReadonlyMap<number, InputLevel>, direction: 1 | -1): InputLevel[] {
  return [...side].sort(([a], [b]) => (a - b) * direction).map(([, level]) => level)
}
