import { mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../../platform/user-error.ts'

/** Frames of a recording in order of time, without their texts. */
/** A pushed frame. */
export interface RecordedFrame {
  /** Tape time, ms. */
  atMs: number
  /** Id of its stream. */
  stream: string
  /** Index of its text in the store. */
  text: number
}

export class RecordedFrames {
  private readonly times = new NumberColumn()
  private readonly streams = new NumberColumn()
  private readonly texts = new NumberColumn()
  private readonly ids: string[] = []
  private readonly numbers = new Map<string, number>()

  get length(): number {
    return this.times.length
  }

  /** In order of time. */
  add({ atMs, stream, text }: RecordedFrame): void {
    const number = this.numbers.get(stream) ?? this.ids.push(stream) - 1
    this.numbers.set(stream, number)
    this.times.push(atMs)
    this.streams.push(number)
    this.texts.push(text)
  }

  /** Those from an instant on, before another. */
  between(fromMs: number, toMs: number): RecordedFrame[] {
    const first = this.times.countBelow(fromMs)
    const count = this.times.countBelow(toMs) - first
    return Array.from({ length: count }, (_, n) => this.at(first + n))
  }

  /** The latest at or before an instant, and those of the same time; empty before the first. */
  latestAt(atMs: number): RecordedFrame[] {
    const end = this.times.countBelow(atMs + 1)
    if (end === 0) return []
    const lastMs = this.times.at(end - 1)
    return this.between(lastMs, lastMs + 1)
  }

  /** The first; undefined for none. */
  get first(): RecordedFrame | undefined {
    return this.length === 0 ? undefined : this.at(0)
  }

  private at(place: number): RecordedFrame {
    const stream = this.ids[this.streams.at(place)] as string
    return { atMs: this.times.at(place), stream, text: this.texts.at(place) }
  }
}

/** An append-only column of numbers, eight bytes each. */
class NumberColumn {
  private values = new Float64Array(64)
  private count = 0

  get length(): number {
    return this.count
  }

  push(value: number): void {
    if (this.count === this.values.length) {
      const larger = new Float64Array(2 * this.count)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.count++] = value
  }

  /** The number at a valid index. */
  at(place: number): number {
    return this.values[place] as number
  }

  /** Number of values below a limit in an ascending column. */
  countBelow(limit: number): number {
    let [from, to] = [0, this.count]
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.at(middle) < limit) from = middle + 1
      else to = middle
    }
    return from
  }
}

// Texts of a recording on disk: bodies and frames are read when they are sent.

/** Size of a write, bytes. */
const PIECE_BYTES = 1 << 20
/** Size of a read. */
const READ_BYTES = 64 << 10

export class TextStore {
  private readonly file: number
  /** Start of each text; the next start is its end. */
  private readonly starts = new NumberColumn()
  private pending: Buffer[] = []
  private pendingBytes = 0
  private writtenBytes = 0
  /** The last read and its offset. */
  private readBytes = Buffer.alloc(0)
  private readFrom = 0

  /**
   * The file is unlinked once it is open, so nothing is left of it however the process ends.
   *
   * @param folder its folder; a UserError where it is not writable
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

  /** Stores a text; returns its index. */
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

  /** Reads ahead, as the next text is mostly read next. */
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
