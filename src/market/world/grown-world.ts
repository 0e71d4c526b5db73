/** Worlds that go on after their tape: the file of a line, read while a thread writes it. */
import { Database } from 'bun:sqlite'
import type { TapeMs } from '../../clock/instant.ts'
import { mappedBytes } from './mapped-bytes.ts'
import { memoryDatabase } from './memory-database.ts'
import { type World, worldOf } from './world.ts'

/**
 * Opens the file of a line for reading, as far as it has been grown.
 *
 * @param tapeEndMs where its tape ends
 */
export function openGrown(file: string, tapeEndMs: TapeMs): World {
  const db = new Database(file, { readonly: true, strict: true })
  db.exec(`pragma query_only = on; pragma mmap_size = ${mappedBytes(file)}`)
  db.exec('pragma cache_size = -16384')
  db.exec('pragma temp_store = memory; pragma busy_timeout = 5000')
  return Object.assign(worldOf(db, memoryDatabase), { tapeEndMs })
}

/**
 * The same, ending where nothing has been grown: it is to be grown in slices up to where it is, as
 * all that is read of a line for the first time may be much.
 */
export function openUngrown(file: string, tapeEndMs: TapeMs): World {
  const world = openGrown(file, tapeEndMs)
  return Object.assign(world, { endMs: world.packedEndMs })
}
