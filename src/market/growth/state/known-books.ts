import { BookBlockReader, type StoredLevel } from '../../schema/book-block-reader.ts'
import type { InstrumentRow } from '../../schema/schema.ts'
import { readLevels } from '../../schema/stored-levels.ts'
import type { BookLevel } from '../../synth/synth-event.ts'
import type { Database } from '../../world/database.ts'

type Known = Record<'bids' | 'asks', BookLevel[]>

/** The book of an instrument at an instant, each side from the touch outward. */
export function knownBook(db: Database, instrument: InstrumentRow, atMs: number): Known {
  const [bids, asks] = [new Map<number, BookLevel>(), new Map<number, BookLevel>()]
  for (const change of changesUpTo(db, instrument, atMs)) {
    for (const level of change.bids) setLevel(bids, level)
    for (const level of change.asks) setLevel(asks, level)
  }
  return { bids: sorted(bids, -1), asks: sorted(asks, 1) }
}

/** The levels of a row of a tape's book. */
export function rowLevels(levels: string, row: InstrumentRow): Known {
  const [bids, asks] = readLevels(levels, row) as unknown as [StoredLevel[], StoredLevel[]]
  return { bids: bids.map(bookLevel), asks: asks.map(bookLevel) }
}

/** A full book and what changed since, up to an instant. */
function* changesUpTo(db: Database, row: InstrumentRow, atMs: number): Generator<Known> {
  const blocks = db
    .query<{ changes: Uint8Array }, [{ instrument: number; atMs: number }]>(
      `select changes from bookBlock where instrument = $instrument and fromMs <= $atMs
       and fromMs >= (select max(fromMs) from bookBlock where instrument = $instrument
         and fromMs <= $atMs and full = 1) order by fromMs`,
    )
    .all({ instrument: row.id, atMs })
  if (blocks.length === 0) yield* rowsUpTo(db, row, atMs)
  for (const { changes } of blocks) {
    const reader = new BookBlockReader(changes)
    for (const timeMs of reader.timesMs) {
      if (timeMs > atMs) return
      const [bids, asks] = reader.next()
      yield { bids: bids.map(bookLevel), asks: asks.map(bookLevel) }
    }
  }
}

function* rowsUpTo(db: Database, row: InstrumentRow, atMs: number): Generator<Known> {
  const keyframe = db
    .query<{ id: number; timeMs: number }, [number, number]>(
      `select id, timeMs from book where instrument = ? and keyframe = 1 and timeMs <= ?
       order by timeMs desc, id desc limit 1`,
    )
    .get(row.id, atMs)
  if (!keyframe) return
  const rows = db.query<{ levels: string }, [number, number, number, number]>(
    `select levels from book where instrument = ? and timeMs >= ? and timeMs <= ? and id >= ?
     order by timeMs, id`,
  )
  for (const { levels } of rows.all(row.id, keyframe.timeMs, atMs, keyframe.id))
    yield rowLevels(levels, row)
}

const bookLevel = ([px, lots, orders]: StoredLevel): BookLevel => ({ px, lots, orders })

function setLevel(side: Map<number, BookLevel>, level: BookLevel): void {
  if (level.lots === 0) side.delete(level.px)
  else side.set(level.px, level)
}

function sorted(side: ReadonlyMap<number, BookLevel>, direction: 1 | -1): BookLevel[] {
  return [...side.values()].sort((a, b) => (a.px - b.px) * direction)
}
