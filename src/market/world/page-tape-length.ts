/** Cache sizes for tapes in a page, where memory is scarce. */

// There is one playhead: played data soon becomes garbage, before a browser promotes it.
export const CHUNKS_OF_LONG_TAPES = 8
export const BOOKS_OF_LONG_TAPES = { weight: 300_000, latest: 2 }

/** Always long: a page's market is beyond its tape after a quarter of an hour. */
export const isLongTape = (_world: object): boolean => true
