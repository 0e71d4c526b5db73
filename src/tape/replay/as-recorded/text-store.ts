/** Texts of a recording, kept on disk: bodies and frames are read when they are sent. */
import { mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../../platform/user-error.ts'
import { NumberColumn } from './number-column.ts'

/** So much is gathered before it is written, bytes. */
const PIECE_BYTES = 1 << 20
/** So much is read at once. */
const READ_BYTES = 64 << 10

export class TextStore {
  private readonly file: number
  /** Where each begins; the next one's beginning is its end. */
  private readonly starts = new NumberColumn()
  private pending: Buffer[] = []
  private pendingBytes = 0
  private writtenBytes = 0
  /** What was read last, and where it begins. */
  private readBytes = Buffer.alloc(0)
  private readFrom = 0

  /**
   * The file has no name once it is open, so nothing is left of it however the process ends.
   *
   * @param folder where it lies; a UserError where nothing can be written to it
   */
  constructor(private readonly folder: string) {
    try {
      mkdirSync(folder, { recursive: true })
      const own = mkdtempSync(path.join(folder, 'replay-'))
      this.file = openSync(path.join(own, 'texts'), 'wx+')
      rmSync(own, { recursive: true })
    } catch (error) {
      throw this.failure(error as Error)
    }
  }

  /** The number by which it is read. */
  add(text: string): number {
    const bytes = Buffer.from(text)
    this.starts.push(this.writtenBytes + this.pendingBytes)
    this.pending.push(bytes)
    this.pendingBytes += bytes.length
    if (this.pendingBytes >= PIECE_BYTES) this.flush()
    return this.starts.length - 1
  }

  read(number: number): string {
    this.flush()
    const start = this.starts.at(number)
    const isLast = number === this.starts.length - 1
    const end = isLast ? this.writtenBytes : this.starts.at(number + 1)
    if (start < this.readFrom || end > this.readFrom + this.readBytes.length)
      this.readPiece(start, Math.max(end, Math.min(start + READ_BYTES, this.writtenBytes)))
    return this.readBytes.toString('utf8', start - this.readFrom, end - this.readFrom)
  }

  /** What comes next is mostly read next. */
  private readPiece(start: number, end: number): void {
    const bytes = Buffer.allocUnsafe(end - start)
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(this.file, bytes, at, bytes.length - at, start + at)
      if (count === 0) throw new Error(`the texts that are replayed end at byte ${start + at}`)
      at += count
    }
    this.readFrom = start
    this.readBytes = bytes
  }

  private flush(): void {
    if (this.pendingBytes === 0) return
    const bytes = Buffer.concat(this.pending)
    try {
      for (let at = 0; at < bytes.length; )
        at += writeSync(this.file, bytes, at, bytes.length - at, this.writtenBytes + at)
    } catch (error) {
      throw this.failure(error as Error)
    }
    this.writtenBytes += bytes.length
    this.pending = []
    this.pendingBytes = 0
  }

  private failure({ message }: Error): UserError {
    return new UserError(`what is replayed cannot be kept in ${this.folder}: ${message}`)
  }
}
