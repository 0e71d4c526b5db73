/** File of an interrupted casting. */
import { Database } from 'bun:sqlite'
import { existsSync, rmSync } from 'node:fs'
import { type KeptCasting, readKept } from './kept-casting.ts'

/** The checkpoint of a file; null where there is none. A file without one is removed. */
export function keptIn(file: string): KeptCasting | null {
  if (!existsSync(file)) return null
  const kept = readFile(file)
  if (kept === null) removeDatabase(file)
  return kept
}

/** Removes a file with its journal files. */
export function removeDatabase(file: string): void {
  rmSync(file, { force: true })
  removeJournal(file)
}

/** A finished writer leaves an empty journal. */
export function removeJournal(file: string): void {
  rmSync(`${file}-journal`, { force: true })
}

/** SQLite rolls back what was being written when its process ended. */
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
