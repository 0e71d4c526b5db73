/** Rows of a long list, some hundreds at a time: one statement for all would hold the thread. */
import type { TapeMs } from '../../clock/instant.ts'

/** Where a page ends, and the next one begins after. */
export interface PageEnd {
  timeMs: TapeMs
  id: number
}

/** After all rows of an instant, where the newest come first. */
export const LAST_ID = Number.MAX_SAFE_INTEGER

const PAGE_ROWS = 200

/**
 * The pages of a list that is ordered by time, then id, of so many rows in all.
 *
 * @param start the first page begins after it
 * @param read so many rows at most after a place
 */
export function* inPages<Row extends PageEnd>(
  start: PageEnd,
  limit: number,
  read: (after: PageEnd, count: number) => Row[],
): Generator<Row[], void, void> {
  let after = start
  for (let left = limit; left > 0; left -= PAGE_ROWS) {
    const count = Math.min(PAGE_ROWS, left)
    const rows = read(after, count)
    if (rows.length > 0) yield rows
    if (rows.length < count) return
    after = rows.at(-1) as Row
  }
}
