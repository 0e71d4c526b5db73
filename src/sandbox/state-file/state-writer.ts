/** Writes to a state file: each time all of it or nothing, and what failed is tried again. */
import type { Database } from 'bun:sqlite'
import { StorageError } from '../storage-status.ts'
import { FilePresence } from './file-presence.ts'
import { beginLog, resumeLog, touchLog } from './log-generation.ts'
import { FileGoneError } from './write-failure.ts'
import { WriteStatus } from './write-status.ts'

/** What was not written when it should have been. */
interface Unwritten {
  commit(): void
}

export class StateWriter {
  readonly status: WriteStatus
  private readonly presence: FilePresence
  private readonly unwritten = new Set<Unwritten>()
  /** At how many bytes of log it is folded into the file. */
  private logBytesMax = LOG_BYTES_MAX
  private isCatchingUp = false
  /** When it was last seen that the file is there. */
  private lookedMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly db: Database,
    file: string,
  ) {
    this.presence = new FilePresence(file)
    this.status = new WriteStatus(file, () => this.retry())
  }

  /** Whether the file lies where it was opened. */
  get isInPlace(): boolean {
    return this.presence.isInPlace
  }

  /**
   * Runs statements as one transaction; a StorageError when they cannot be kept: none is then.
   *
   * @param areCounters whether it is enough to have looked a moment ago that the file is there
   */
  write(statements: () => void, areCounters = false): void {
    try {
      this.prepare(areCounters)
      this.transact(statements)
    } catch (error) {
      throw this.status.failed(error)
    }
    this.status.commits++
    if (this.status.behind && !this.isCatchingUp) this.catchUp()
  }

  /** Will be written as soon as that can be. */
  postpone(unwritten: Unwritten): void {
    this.unwritten.add(unwritten)
  }

  /** Need not be written any more. */
  settle(unwritten: Unwritten): void {
    this.unwritten.delete(unwritten)
  }

  private transact(statements: () => void): void {
    this.db.exec('begin immediate')
    try {
      statements()
      this.db.exec('commit')
    } catch (error) {
      // After some errors, a full disk among them, SQLite has rolled back by itself.
      if (this.db.inTransaction) this.db.exec('rollback')
      throw error
    }
  }

  private prepare(areCounters: boolean): void {
    const nowMs = this.status.monotonicMs()
    if (areCounters && nowMs - this.lookedMs < LOOK_EVERY_MS) return
    this.presence.check()
    this.lookedMs = nowMs
    const bytes = this.presence.logBytes()
    if (bytes === null) {
      // Somebody removed the log alone: what is in it can still be read, and goes into the file.
      // Unless the folder went away between the two looks.
      this.presence.check()
      try {
        resumeLog(this.db)
      } catch (error) {
        throw new FileGoneError(`the log of it (${error})`)
      }
      this.presence.logOpened()
    } else if (bytes > this.logBytesMax) this.fold(bytes)
  }

  /** That it fails is no reason to refuse: there may be space in the log. */
  private fold(bytes: number): void {
    try {
      beginLog(this.db)
      this.logBytesMax = LOG_BYTES_MAX
    } catch {
      this.logBytesMax = bytes + LOG_BYTES_MAX
    }
  }

  private retry(): void {
    try {
      this.write(() => touchLog(this.db))
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
    }
  }

  private catchUp(): void {
    this.isCatchingUp = true
    try {
      for (const one of this.unwritten) one.commit()
      this.status.recovered()
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
    } finally {
      this.isCatchingUp = false
    }
  }
}

/** A log has some pages for each transaction; folding it waits for the disk. */
const LOG_BYTES_MAX = 4 << 20

/** To look takes a quarter as long as to write a count. */
const LOOK_EVERY_MS = 5
