/** Whether an open state file still lies under its name. */
import { statSync } from 'node:fs'
import { FileGoneError } from './write-failure.ts'

/**
 * What is written to a file that was deleted, moved or replaced is lost, and the system does not
 * say so: the file is compared with that of its name.
 */
export class FilePresence {
  private readonly opened: Identity | null
  private openedLog: Identity | null = null

  constructor(private readonly file: string) {
    this.opened = identityOf(file)
    this.logOpened()
  }

  /** Another log was made. */
  logOpened(): void {
    this.openedLog = identityOf(`${this.file}-wal`)
  }

  get isInPlace(): boolean {
    return isSame(this.opened, identityOf(this.file))
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
    // A folder on the way is none any more, or may not be entered.
    return null
  }
}

const NOWHERE: Identity = { dev: 0, ino: 0, size: 0 }

const isSame = (one: Identity | null, other: Identity | null) =>
  one !== null && other !== null && one.ino === other.ino && one.dev === other.dev
