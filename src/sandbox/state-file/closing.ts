import type { Database } from 'bun:sqlite'

/**
 * Releases a state file. Closing alone does not: the runtime keeps prepared statements until they
 * are collected, and with them the lock.
 */
export function closeDatabase(db: Database): void {
  try {
    // The lock of a write-ahead log can only be given back without the log.
    if (db.inTransaction) db.exec('rollback')
    db.exec('pragma journal_mode = delete; pragma locking_mode = normal')
    db.exec('select count(*) from sqlite_master')
  } catch {
    // It could not be read in the first place.
  }
  db.close()
}
