import { columns } from '../rows/columns.ts'
import { book, bookBlock } from '../schema.ts'
import type { World } from '../world.ts'

const STORED = columns({ timeMs: book.timeMs, levels: book.levels })
type Of = [instrument: number, ms: number]
type Between = [instrument: number, fromMs: number, toMs: number, fromId: number, toId: number]

/** Reads where the books of an instrument begin anew, and what lies between. */
export function bookReaders({ db }: World) {
  const after = 'where instrument = ?'
  return {
    keyframes: columns({ timeMs: book.timeMs, id: book.id }).prepare<Of>(
      db,
      `from book ${after} and keyframe = 1 and timeMs > ? order by timeMs, id`,
    ),
    blocks: columns({ timeMs: bookBlock.fromMs, full: bookBlock.full }).prepare<Of>(
      db,
      `from bookBlock ${after} and fromMs > ? order by fromMs`,
    ),
    block: columns({ changes: bookBlock.changes }).prepare<Of>(
      db,
      `from bookBlock ${after} and fromMs = ?`,
    ),
    rows: STORED.prepare<Between>(
      db,
      `from book ${after} and timeMs between ? and ? and id >= ? and id < ? order by timeMs, id`,
    ),
  }
}
