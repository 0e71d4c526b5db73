import { statSync } from 'node:fs'

/**
 * How much of the file of a world is mapped into memory, bytes: a large one is read, not mapped.
 * What has been looked at of a map counts as memory of the process, which would grow with what
 * was played.
 */
export const mappedBytes = (file: string): number =>
  statSync(file).size <= MOST_BYTES ? MOST_BYTES : 0

/** Of a file that grows while it is open, what comes after that is read as well. */
const MOST_BYTES = 256 << 20
