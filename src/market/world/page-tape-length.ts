/** What is kept of tapes in a page, where memory is what there is least of. */

// There is one playhead: what it has passed is garbage soon, before a browser takes it for old.
export const CHUNKS_OF_LONG_TAPES = 8
export const BOOKS_OF_LONG_TAPES = { weight: 300_000, latest: 2 }

/** Each is: the market of a page is beyond its tape after a quarter of an hour. */
export const isLongTape = (_world: object): boolean => true
