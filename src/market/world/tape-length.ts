import type { World } from './world.ts'

/** Rows of a tape of which what was read is kept as a whole, as it may be played in laps. */
const SHORT_ROWS = 200_000

/** What is kept of books: so many levels in all, and of each run the books asked for last. */
export interface KeptBooks {
  weight: number
  latest: number
}

/** What is kept of a long one, for some two playheads. */
export const BOOKS_OF_LONG_TAPES: KeptBooks = { weight: 300_000, latest: 16 }

/** Chunks of events that are kept of a long one: what playheads near one another share. */
export const CHUNKS_OF_LONG_TAPES = 100

/**
 * Whether a tape is so long that little of it is worth keeping: what is played of it does not come
 * again soon.
 */
export function isLongTape({ meta: { counts } }: Pick<World, 'meta'>): boolean {
  const { book = 0, bbo = 0, trade = 0 } = counts
  return book + bbo + trade > SHORT_ROWS
}
