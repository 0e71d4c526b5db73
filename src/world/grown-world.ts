import { Database } from 'bun:sqlite'
import { type TapeMs, tapeMs } from '../clock/instant.ts'
import { type World, worldOf } from './world.ts'

/**
 * A world that goes on, as far as it has been grown: of its rows, those up to `endMs` are known.
 * Another connection adds to the file meanwhile.
 *
 * @param tapeEndMs where its tape ends
 */
export function openGrownWorld(file: string, tapeEndMs: TapeMs, endMs: number): World {
  const db = new Database(file, { readonly: true, strict: true })
  db.exec('pragma query_only = on; pragma mmap_size = 1073741824; pragma cache_size = -16384')
  db.exec('pragma temp_store = memory; pragma busy_timeout = 5000')
  const world = worldOf(db)
  const { endMs: packedEndMs } = world.meta
  return Object.assign(world, { tapeEndMs, packedEndMs, endMs: tapeMs(endMs) })
}
