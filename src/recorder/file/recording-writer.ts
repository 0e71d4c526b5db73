/** Writes lines to the files of a recording in order, and survives a disk that takes none. */
import { existsSync } from 'node:fs'
import { UserError } from '../../user-error.ts'
import type { RecordingSettings } from '../recording-settings.ts'
import { OpenConnections } from './open-connections.ts'
import { type RecordedLine, RecordingFile } from './recording-file.ts'
import { isFull, partName } from './rotation.ts'

/** What came while nothing could be written and has no room to wait. */
export interface LostEvents {
  fromMs: number
  count: number
  why: string
}

/** Letters that may wait to be written, where nothing else is said. */
const WAITING_MAX = 64 * 1024 * 1024
/** They are written when so many wait, or so much time has passed. */
const BATCH_LETTERS = 128 * 1024
const FLUSH_MS = 200
const RETRY_MS = 1000

export class RecordingWriter {
  private waiting: RecordedLine[] = []
  private waitingLetters = 0
  private lost: LostEvents | null = null
  private failure: string | null = null
  private cancelTimer: (() => void) | null = null
  private writing: Promise<void> | null = null
  private isEnding = false
  private part = 1
  private files = 1
  private eventsBefore = 0
  private lostInAll = 0
  private readonly connections = new OpenConnections()

  private constructor(
    private readonly settings: RecordingSettings,
    private file: RecordingFile,
    /** The line that tells of what was lost. */
    private readonly gapLine: (lost: LostEvents) => RecordedLine,
  ) {}

  /** Begins the first file; a UserError says why that cannot be. */
  static async begin(
    settings: RecordingSettings,
    gapLine: (lost: LostEvents) => RecordedLine,
  ): Promise<RecordingWriter> {
    const path = partName(settings.path, 1, settings.rotation)
    if (existsSync(path))
      throw new UserError(`${path} exists already: name another file, or remove it`)
    try {
      const file = await newFile(settings, 1)
      return new RecordingWriter(settings, file, gapLine)
    } catch (error) {
      throw new UserError(`${path}: cannot be written: ${(error as Error).message}`)
    }
  }

  /** What has been written, in all files, and what could not be. */
  get counts(): { events: number; lost: number; files: number } {
    const events = this.eventsBefore + this.file.events
    return { events, lost: this.lostInAll, files: this.files }
  }

  /** Hands in the next line, which is lost when too many wait already. */
  add(line: RecordedLine): void {
    const { waitingLettersMax = WAITING_MAX } = this.settings
    if (this.waitingLetters + line.text.length > waitingLettersMax || this.lost !== null) {
      const why = this.failure ?? 'the disk was too slow'
      this.lost ??= { fromMs: line.time, count: 0, why }
      this.lost.count++
      this.lostInAll++
      if (this.lost.count === 1) this.settings.say(`events are being lost: ${why}`)
    } else this.push(line)
    if (this.waitingLetters >= BATCH_LETTERS && this.failure === null) this.flush()
    else this.flushLater(this.failure === null ? FLUSH_MS : RETRY_MS)
  }

  /** Writes what waits and completes the file; what cannot be done is said. */
  async end(): Promise<void> {
    this.isEnding = true
    this.cancelTimer?.()
    await this.writing
    await this.writeWaiting()
    // What was lost is told after what could be written.
    if (this.failure === null) await this.writeWaiting()
    await this.completed(this.file)
    if (this.waiting.length === 0) return
    this.lostInAll += this.waiting.length
    this.settings.say(`${this.waiting.length} events could not be written: ${this.failure}`)
  }

  /** Removes the file again, which nothing has been handed in for. */
  discard(): Promise<void> {
    return this.file.discard()
  }

  private push(line: RecordedLine): void {
    this.waiting.push(line)
    this.waitingLetters += line.text.length
  }

  private flushLater(delayMs: number): void {
    if (this.isEnding || this.writing) return
    this.cancelTimer ??= this.settings.clock.startTimer(delayMs, () => this.flush())
  }

  private flush(): void {
    this.cancelTimer?.()
    this.cancelTimer = null
    if (this.writing || this.isEnding) return
    this.writing = this.writeWaiting().finally(() => {
      this.writing = null
      if (this.waiting.length > 0) this.flushLater(this.failure === null ? 0 : RETRY_MS)
    })
  }

  private async writeWaiting(): Promise<void> {
    if (this.waiting.length === 0) return
    const lines = this.waiting
    try {
      if (isFull(this.file, this.settings.clock.nowMs(), this.settings.rotation))
        await this.rotate(lines[0] as RecordedLine)
      const count = lines.length
      const written = lines.slice(0, count)
      await this.file.write(written)
      for (const line of written) this.connections.follow(line)
      this.written(lines.slice(count))
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      const why =
        code === 'ENOSPC' ? 'the disk was full' : `the file could not be written: ${message}`
      if (this.failure === null)
        this.settings.say(`${this.file.path}: ${why}; traffic goes on, and it is tried again`)
      this.failure = why
    }
  }

  private written(left: RecordedLine[]): void {
    this.waiting = left
    this.waitingLetters = left.reduce((sum, { text }) => sum + text.length, 0)
    if (this.lost !== null) this.push(this.gapLine(this.lost))
    if (this.failure !== null) this.settings.say(`${this.file.path}: it can be written again`)
    this.lost = null
    this.failure = null
  }

  private async rotate(first: RecordedLine): Promise<void> {
    const full = this.file
    const carried = this.connections.linesBefore(first)
    const { path, rotation } = this.settings
    let part = this.part + 1
    // A file that is there is left alone.
    while (existsSync(partName(path, part, rotation))) part++
    const next = await newFile(this.settings, part, carried)
    this.part = part
    this.files++
    this.eventsBefore += full.events
    this.file = next
    await this.completed(full)
  }

  private async completed(file: RecordingFile): Promise<void> {
    try {
      await file.complete()
    } catch (error) {
      const why = (error as Error).message
      this.settings.say(`${file.path}: is left without its end, which can be read: ${why}`)
    }
  }
}

/** A file that begins with these lines; none is left where they cannot be written. */
async function newFile(
  settings: RecordingSettings,
  part: number,
  lines: readonly RecordedLine[] = [],
): Promise<RecordingFile> {
  const { source, rotation, clock, openSink } = settings
  const path = partName(settings.path, part, rotation)
  const name = part === 1 ? source : `${source}, part ${part}`
  const sink = await openSink(path)
  const file = new RecordingFile(path, sink, name, Math.floor(clock.nowMs()))
  try {
    await file.begin()
    if (lines.length > 0) await file.write(lines)
    return file
  } catch (error) {
    await file.discard()
    throw error
  }
}
