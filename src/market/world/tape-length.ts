import type { World } from './world.ts'

/** Rows of a tape up to which all that was read is kept, as it may be played in laps. */
const SHORT_ROWS = 200_000

/** Cache of books: total levels, and the number of recent books per run. */
export interface KeptBooks {
  weight: number
  latest: number
}

/** Limits for a long tape, enough for some two playheads. */
export const BOOKS_OF_LONG_TAPES: KeptBooks = { weight: 300_000, latest: 16 }

/** Cached chunks of events of a long tape: shared by playheads near one another. */
export const CHUNKS_OF_LONG_TAPES = 100

/** Whether a tape is too long to cache: played data is not read again soon. */
export function isLongTape({ meta: { counts } }: Pick<World, 'meta'>): boolean {
  const { book = 0, bbo = 0, trade = 0 } = counts
  return book + bbo + trade > SHORT_ROWS
}
