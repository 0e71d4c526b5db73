import { existsSync } from 'node:fs'
import path from 'node:path'

/** Real recordings that tests read but that the repository does not hold. */
const FOLDER = path.join(import.meta.dir, '..', '..', 'shared', 'tapes')

/**
 * Where a recording lies, and how tests that read it are declared.
 *
 * `file` is its path below the folder of recordings: `usdm/usdm_btcusdt_20240808.gz`. Without it,
 * tests are to be skipped with `reason` in their name; with CI=true it has to be there, so
 * `absent` is false and they fail.
 */
export function sharedTape(file: string): { path: string; absent: boolean; reason: string } {
  const place = path.join(FOLDER, file)
  const missing = !existsSync(place)
  const reason = missing ? ` (there is no ../shared/tapes/${file})` : ''
  return { path: place, absent: missing && process.env.CI !== 'true', reason }
}
