import { statSync } from 'node:fs'

/**
 * How much of the file of a world is mapped into memory, bytes: a large one is read, not mapped.
 * What has been looked at of a map counts as memory of the process, which would grow with what
 * was played.
 */
export const mappedBytes = (file: string): number =>
  statSync(file).size <= WHOLE_MAX_BYTES ? MAPPED_BYTES : 0

const WHOLE_MAX_BYTES = 256 << 20
/** It may grow while it is open. */
const MAPPED_BYTES = 1 << 30
