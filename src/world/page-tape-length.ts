/**
 * Whether little of a tape is worth keeping: in a page always, since memory is what a tab has least
 * of, and its market is beyond the tape after a quarter of an hour.
 */
export const isLongTape = (_world: object): boolean => true
