/** The file of a casting that was interrupted. */
import { Database } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import { type KeptCasting, readKept } from './kept-casting.ts'

/** What a file keeps; null where there is none. One that keeps nothing is removed. */
export function keptIn(file: string): KeptCasting | null {
  if (!existsSync(file)) return null
  const kept = readFile(file)
  if (kept === null) removeDatabase(file)
  return kept
}

/** Removes a file, and what its writer left beside it. */
export function removeDatabase(file: string): void {
  rmSync(file, { force: true })
  removeJournal(file)
}

/** A journal stays, empty, where a writer that had one has finished. */
export function removeJournal(file: string): void {
  rmSync(`${file}-journal`, { force: true })
}

/** SQLite takes back what was being written when its process ended. */
function readFile(file: string): KeptCasting | null {
  let db: Database | null = null
  try {
    db = new Database(file, { strict: true })
    return readKept(db)
  } catch {
    return null
  } finally {
    db?.close()
  }
}
