import { constants, type Database } from 'bun:sqlite'
import { endLog } from './log-generation.ts'

/**
 * Folds everything into the file and releases it; what cannot be folded stays beside it. Closing
 * alone does not release: the runtime keeps prepared statements until they are collected, and with
 * them the lock.
 */
export function closeDatabase(db: Database): void {
  try {
    if (db.inTransaction) db.exec('rollback')
    endLog(db)
    keepLog(db, false)
    // The lock of a write-ahead log can only be given back without the log.
    db.exec('pragma journal_mode = delete; pragma locking_mode = normal')
    db.exec('select count(*) from sqlite_master')
  } catch {
    // It could not be read in the first place, or there is no space: then the log is kept.
  }
  db.close()
}

/** Whether closing leaves the log where it is: SQLite would fold it and say nothing in the file. */
export function keepLog(db: Database, keep: boolean): void {
  db.fileControl(constants.SQLITE_FCNTL_PERSIST_WAL, keep ? 1 : 0)
}
