/** One process at a time casts a world; the others wait for it and then find it cast. */
import { Database } from 'bun:sqlite'
import { hostClock } from '../../clock/system-clock.ts'

/**
 * Waits until this process is the one that may cast into a file; the result lets go again.
 *
 * It is a lock of the operating system, so it ends with its process, however that ends. On a disk
 * that has none, everybody may.
 */
export async function lockWorld(file: string, onWait: () => void): Promise<() => void> {
  for (let isFirst = true; ; isFirst = false) {
    const release = tryLockWorld(file)
    if (release) return release
    if (isFirst) onWait()
    await new Promise<void>((resume) => hostClock.startTimer(POLL_MS, resume))
  }
}

/** The same without waiting: null when somebody else has the lock. */
export function tryLockWorld(file: string): (() => void) | null {
  let db: Database | null = null
  try {
    db = new Database(`${file}.lock`, { create: true })
    db.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (error) {
    db?.close()
    if ((error as { code?: string }).code === 'SQLITE_BUSY') return null
    return () => {}
  }
  const held = db
  return () => held.close()
}

const POLL_MS = 100
