/** Files that a command writes beside those that it reads. */
import { existsSync, realpathSync } from 'node:fs'
import { UserError } from '../../platform/user-error.ts'

/**
 * Refuses to write over one of the files that are read: what has been recorded cannot be recorded
 * again.
 */
export function checkIsNoSource(sources: readonly string[], written: string): void {
  if (sources.some((source) => realPath(source) === realPath(written)))
    throw new UserError(`${written} is the recording itself: name another file to be written`)
}

const realPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path)
