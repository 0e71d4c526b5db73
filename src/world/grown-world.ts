/** Worlds that go on after their tape: the file of a line, read while a thread writes it. */
import { Database } from 'bun:sqlite'
import { tapeMs } from '../clock/instant.ts'
import { type World, worldOf } from './world.ts'

/** Opens the file of a line for reading, as far as it has been grown. */
export function openGrown(file: string): World {
  const db = new Database(file, { readonly: true, strict: true })
  db.exec('pragma query_only = on; pragma mmap_size = 1073741824; pragma cache_size = -16384')
  db.exec('pragma temp_store = memory; pragma busy_timeout = 5000')
  return worldOf(db)
}

/** The same line, known up to a later instant; both worlds share one connection. */
export function worldGrownTo(former: World, endMs: number): World {
  const { db, instruments, byCoin, startMs, tapeEndMs, meta } = former
  const close = () => db.close()
  const end = tapeMs(endMs)
  return {
    db,
    instruments,
    byCoin,
    startMs,
    tapeEndMs,
    endMs: end,
    meta,
    former: new WeakRef(former),
    close,
  }
}
