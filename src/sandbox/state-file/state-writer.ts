/** Writes to a state file in transactions, and retries failed ones. */
import type { Database } from 'bun:sqlite'
import { statSync } from 'node:fs'
import { hostClock } from '../../clock/system-clock.ts'
import { StorageError, type StorageObserver, type StorageStatus } from '../sandbox-store.ts'
import { beginLog, resumeLog, touchLog } from './log-generation.ts'

/** A pending write. */
interface Unwritten {
  commit(): void
}

export class StateWriter {
  readonly status: WriteStatus
  private readonly presence: FilePresence
  private readonly unwritten = new Set<Unwritten>()
  /** Size of the log, bytes, at which it is folded into the file. */
  private logBytesMax = LOG_BYTES_MAX
  private isCatchingUp = false
  /** When the file's presence was last checked. */
  private checkedMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly db: Database,
    file: string,
    named = file,
  ) {
    this.presence = new FilePresence(file, named)
    this.status = new WriteStatus(file, () => this.retry())
  }

  /** Whether the file lies where it was opened. */
  get isInPlace(): boolean {
    return this.presence.isInPlace
  }

  /**
   * Runs statements as one transaction; a StorageError when it fails, and then nothing is written.
   *
   * @param areCounters whether a recent check of the file's presence is enough
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

  /** Retries a write as soon as possible. */
  postpone(unwritten: Unwritten): void {
    this.unwritten.add(unwritten)
  }

  /** Removes a pending write. */
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
    if (areCounters && nowMs - this.checkedMs < CHECK_EVERY_MS) return
    this.presence.check()
    this.checkedMs = nowMs
    const bytes = this.presence.logBytes()
    if (bytes === null) {
      // The log alone was removed: it can still be read, and is folded into the file, unless the
      // folder went away since the last check.
      this.presence.check()
      try {
        resumeLog(this.db)
      } catch (error) {
        throw new FileGoneError(`the log of it (${error})`)
      }
      this.presence.logOpened()
    } else if (bytes > this.logBytesMax) this.fold(bytes)
  }

  /** A failure here is no reason to refuse: there may be space in the log. */
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

/** A check takes a quarter of the time of writing a counter. */
const CHECK_EVERY_MS = 5

// Checks that an open state file still lies under its name.

/**
 * Compares the open file with that of its name: writes to a file that was deleted, moved or
 * replaced are lost, and the system reports no error.
 */
class FilePresence {
  private readonly opened: Identity | null
  private openedLog: Identity | null = null

  constructor(
    private readonly file: string,
    /** A link may be changed to another file while this one stays. */
    private readonly named: string,
  ) {
    this.opened = identityOf(file)
    this.logOpened()
  }

  /** Notes a new log. */
  logOpened(): void {
    this.openedLog = identityOf(`${this.file}-wal`)
  }

  get isInPlace(): boolean {
    const isThere = isSame(this.opened, identityOf(this.file))
    return isThere && (this.named === this.file || isSame(this.opened, identityOf(this.named)))
  }

  /** Throws a FileGoneError when there is another file, or none. */
  check(): void {
    if (!this.isInPlace) throw new FileGoneError(this.file)
  }

  /** Bytes of the write-ahead log; null when there is another, or none. */
  logBytes(): number | null {
    const log = identityOf(`${this.file}-wal`)
    return isSame(this.openedLog, log) ? (log?.size ?? null) : null
  }
}

interface Identity {
  dev: number
  ino: number
  size: number
}

function identityOf(file: string): Identity | null {
  try {
    const { dev, ino, size } = statSync(file, { throwIfNoEntry: false }) ?? NOWHERE
    return ino === 0 ? null : { dev, ino, size }
  } catch {
    // A folder on the way is missing, or not accessible.
    return null
  }
}

const NOWHERE: Identity = { dev: 0, ino: 0, size: 0 }

const isSame = (one: Identity | null, other: Identity | null) =>
  one !== null && other !== null && one.ino === other.ino && one.dev === other.dev

// The health of a state file: counts failures, reports them once, and retries.

/** Delay of a retry after a failure. */
const RETRY_MS = 500

/** Interval before the same failure is reported again. */
const REPORT_EVERY_MS = 10_000

class WriteStatus implements StorageStatus {
  readonly what = 'state file'
  commits = 0
  failures = 0
  why: string | null = null
  sinceMs: number | null = null
  private observer: StorageObserver = { systemClock: hostClock, log: () => {} }
  private cancelRetry: (() => void) | null = null
  /** The last reported failure. */
  private reported: { why: string; atMs: number; isOver: boolean } | null = null

  /** @param retry runs the pending writes, or fails again */
  constructor(
    readonly file: string,
    private readonly retry: () => void,
  ) {}

  get behind(): boolean {
    return this.why !== null
  }

  reportTo(observer: StorageObserver): void {
    this.observer = observer
  }

  monotonicMs(): number {
    return this.observer.systemClock.monotonicMs()
  }

  /** Notes a failure; returns the error to throw, which is the original for an internal error. */
  failed(error: unknown): unknown {
    const failure = writeFailureOf(error)
    if (!failure) return error
    this.failures++
    const { reason, remedy, detail } = failure
    const why = `${reason}: ${remedy}`
    this.sinceMs ??= this.observer.systemClock.nowMs()
    this.why = why
    if (this.isNews(why))
      this.observer.log(
        `the state file ${this.file} cannot be written, so changes are refused and counters are ` +
          `behind; it ${why} (${detail})`,
      )
    this.cancelRetry ??= this.observer.systemClock.startTimer(RETRY_MS, () => {
      this.cancelRetry = null
      if (this.behind) this.retry()
    })
    return new StorageError(`nothing was changed: the state file ${this.file} ${why}`)
  }

  /** All pending writes have succeeded. */
  recovered(): void {
    if (!this.behind) return
    this.stop()
    this.why = null
    this.sinceMs = null
    if (this.reported?.isOver === false)
      this.observer.log(`the state file ${this.file} is written again, and counters are up to date`)
    if (this.reported) this.reported.isOver = true
  }

  /** On a nearly full disk, failure and recovery may alternate many times a second. */
  private isNews(why: string): boolean {
    const nowMs = this.monotonicMs()
    const { reported } = this
    const wasReported =
      reported?.why === why && (!reported.isOver || nowMs - reported.atMs < REPORT_EVERY_MS)
    if (!wasReported) this.reported = { why, atMs: nowMs, isOver: false }
    return !wasReported
  }

  stop(): void {
    this.cancelRetry?.()
    this.cancelRetry = null
  }
}

// Failures to write a state file, as helpful messages.

/** The file is not where it was. */
class FileGoneError extends Error {
  constructor(what: string) {
    super(`${what} is not the file that was opened`)
  }
}

interface WriteFailure {
  /** The predicate of "the state file …". */
  reason: string
  /** The remedy. */
  remedy: string
  /** The message of SQLite or the system. */
  detail: string
}

/** null for an error that is no failure to write, but an internal one. */
export function writeFailureOf(error: unknown): WriteFailure | null {
  if (error instanceof FileGoneError)
    return {
      reason: 'is gone, it was deleted, moved or replaced',
      remedy: 'put it back, with its side file, or begin a new one',
      detail: error.message,
    }
  const { code = '', message } = error as { code?: string; message: string }
  const known = FAILURES.find(([prefix]) => code.startsWith(prefix))
  if (!known) return null
  const [, reason, remedy] = known
  return { reason, remedy, detail: message.startsWith(code) ? message : `${code}: ${message}` }
}

const FAILURES: readonly (readonly [code: string, reason: string, remedy: string])[] = [
  ['SQLITE_FULL', 'has no space on its disk', 'make room there, and it recovers by itself'],
  ['ENOSPC', 'has no space on its disk', 'make room there, and it recovers by itself'],
  ['EDQUOT', 'has no space in its quota', 'make room there, and it recovers by itself'],
  ['EFBIG', 'may not become so large', 'raise the limit of a file'],
  ['EROFS', 'is read-only', 'make it and its folder writable, and it recovers by itself'],
  ['EACCES', 'is read-only', 'make it and its folder writable, and it recovers by itself'],
  ['EIO', 'cannot be written to its disk', 'see to the disk: it may be full or read-only'],
  ['SQLITE_READONLY', 'is read-only', 'make it and its folder writable, and it recovers by itself'],
  ['SQLITE_CANTOPEN', 'cannot be opened', 'make it and its folder writable'],
  ['SQLITE_IOERR_SHORT_READ', 'is damaged', 'end the server and put a copy in its place'],
  ['SQLITE_IOERR', 'cannot be written to its disk', 'see to the disk: it may be full or read-only'],
  ['SQLITE_CORRUPT', 'is damaged', 'end the server and put a copy in its place'],
  ['SQLITE_NOTADB', 'is damaged', 'end the server and put a copy in its place'],
  ['SQLITE_BUSY', 'is in use by another program', 'end that one'],
  ['SQLITE_LOCKED', 'is in use by another program', 'end that one'],
  ['SQLITE_PROTOCOL', 'is in use by another program', 'end that one'],
  ['SQLITE_NOMEM', 'finds no memory', 'make memory free'],
]
