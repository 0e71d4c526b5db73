/** A recording in progress: events in order, as lines of a tape. */

import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdCompressSync } from 'node:zlib'
import type { SystemClock } from '../../clock/system-clock.ts'
import { UserError } from '../../platform/user-error.ts'
import type {
  ConnectionData,
  GapData,
  HttpExchangeData,
  SocketFrameData,
} from '../recorded-data.ts'
import { type EventKind, FORMAT, type TapeHeader, VERSION } from '../tape-event.ts'
import { temporaryName } from '../text-sink.ts'
import type { FileSink } from './file/file-sink.ts'
import { isFull, partName, type Rotation } from './file/file-sink.ts'
import type { KeepingBudget } from './http/kept-bytes.ts'
import type { Redaction } from './redaction/redaction.ts'
import type { UpstreamAddress } from './upstream-address.ts'

/** Context shared by all connections of a recorder. */
export interface ProxyContext {
  address: UpstreamAddress
  recording: Recording
  redaction: Redaction
  budget: KeepingBudget
  clock: SystemClock
  /** Timeout of the response's beginning. */
  timeoutMs: number
  /** Signs a path and query; null where clients sign. */
  sign: ((target: string) => string) | null
  /** Reports an error to the user; repeats are reported once. */
  complain: (line: string) => void
  /** The number of the next socket. */
  nextConnection: () => number
}

/** Settings of a recording. */
export interface RecordingSettings {
  path: string
  /** Origin, as text. */
  source: string
  rotation: Rotation
  redaction: Redaction
  clock: SystemClock
  /** Opens a file that does not exist yet. */
  openSink: (path: string) => Promise<FileSink>
  /** Characters that may wait to be written; default 64 Mi. */
  waitingLettersMax?: number
  /** Reports progress to the user. */
  say: (line: string) => void
}

/** Longer lines are unreadable. */
const LINE_BYTES_MAX = 48 * 1024 * 1024

export class Recording {
  private seq = 0
  private lastMs = 0
  private writer: RecordingWriter | null = null

  private constructor(private readonly settings: RecordingSettings) {}

  /** Begins its first file; a UserError explains a failure. */
  static async begin(settings: RecordingSettings): Promise<Recording> {
    const recording = new Recording(settings)
    recording.writer = await RecordingWriter.begin(settings, ({ fromMs, count, why }) =>
      recording.line('gap', { fromMs, why, lost: count }),
    )
    return recording
  }

  /** Numbers of written events, lost events and files. */
  get counts(): RecordingWriter['counts'] {
    return this.writer?.counts ?? { events: 0, lost: 0, files: 0 }
  }

  /** Present time, whole ms since 1970; monotonic. */
  nowMs(): number {
    this.lastMs = Math.max(this.lastMs, Math.floor(this.settings.clock.nowMs()))
    return this.lastMs
  }

  /** Adds an event at the present time. Secrets are removed already. */
  add<K extends keyof RecordedData>(kind: K, data: RecordedData[K]): void {
    const line = this.line(kind, data)
    if (Buffer.byteLength(line.text) <= LINE_BYTES_MAX) return this.writer?.add(line)
    const why = `one ${kind} is longer than a line may be`
    this.writer?.add(this.line('gap', { fromMs: line.time, why, lost: 1 }))
  }

  /** Writes pending lines and completes the file. */
  async end(): Promise<void> {
    await this.writer?.end()
  }

  /** Removes the file, to which nothing has been added. */
  async discard(): Promise<void> {
    await this.writer?.discard()
  }

  private line<K extends keyof RecordedData>(kind: K, data: RecordedData[K]) {
    return recordedLine(kind, { time: this.nowMs(), seq: ++this.seq }, data)
  }
}

// Writes lines to the files of a recording in order, and tolerates a failing disk.

/** Events lost while nothing could be written and the queue was full. */
interface LostEvents {
  fromMs: number
  count: number
  why: string
}

/** Default limit of characters that wait to be written. */
const WAITING_MAX = 64 * 1024 * 1024
/** A batch is written at this size, or after this time. */
const BATCH_LETTERS = 128 * 1024
const FLUSH_MS = 200
const RETRY_MS = 1000

class RecordingWriter {
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
    /** Makes the line that reports lost events. */
    private readonly gapLine: (lost: LostEvents) => RecordedLine,
  ) {}

  /** Begins the first file; a UserError explains a failure. */
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

  /** Numbers of written events, in all files, and of lost ones. */
  get counts(): { events: number; lost: number; files: number } {
    const events = this.eventsBefore + this.file.events
    return { events, lost: this.lostInAll, files: this.files }
  }

  /** Queues the next line, which is lost when the queue is full. */
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

  /** Writes pending lines and completes the file; reports failures. */
  async end(): Promise<void> {
    this.isEnding = true
    this.cancelTimer?.()
    await this.writing
    await this.writeWaiting()
    // The gap follows what could be written.
    if (this.failure === null) await this.writeWaiting()
    await this.completed(this.file)
    if (this.waiting.length === 0) return
    this.lostInAll += this.waiting.length
    this.settings.say(`${this.waiting.length} events could not be written: ${this.failure}`)
  }

  /** Removes the file, for which no line was queued. */
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
    // Existing files are left unchanged.
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

/** A file that begins with these lines; removed where they cannot be written. */
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

/** Sockets open at the end of a file, which the next one begins with. */
class OpenConnections {
  private readonly opened = new Map<number, Extract<ConnectionData, { event: 'open' }>>()

  /** Takes a written line. */
  follow({ connection }: RecordedLine): void {
    if (connection?.event === 'open') this.opened.set(connection.connection, connection)
    else if (connection?.event === 'close') this.opened.delete(connection.connection)
  }

  /** Lines about them, right before the next line. */
  linesBefore(next: RecordedLine): RecordedLine[] {
    // Each has used a number of its own before, so there are as many numbers below.
    let seq = next.seq - this.opened.size
    return [...this.opened.values()].map((data) =>
      recordedLine('connection', { time: next.time, seq: seq++ }, { ...data, continued: true }),
    )
  }
}

// Lines of a tape for recorded events.

/** Data of each recorded kind. */
interface RecordedData {
  exchange: HttpExchangeData
  frame: SocketFrameData
  connection: ConnectionData
  gap: GapData
}

/** The line of an event at `time`. */
function recordedLine<K extends keyof RecordedData>(
  kind: K,
  { time, seq }: { time: number; seq: number },
  data: RecordedData[K],
): RecordedLine {
  const text = `${JSON.stringify({ time, seq, kind, coin: '', data })}\n`
  const line = { time, seq, kind, text }
  return kind === 'connection' ? { ...line, connection: data as ConnectionData } : line
}

// One file of a recording, readable up to its last whole line at any time.

/** A line to be written, with its share of the header. */
interface RecordedLine {
  time: number
  seq: number
  kind: EventKind
  /** The line including its end. */
  text: string
  /** Connection event of the line, if any. */
  connection?: ConnectionData
}

class RecordingFile {
  private readonly counts = new Map<EventKind, number>()
  private length = 0
  private headerBytes = 0
  private firstMs: number | null = null
  private lastMs: number

  /**
   * @param source origin of the recording, as text
   * @param startMs its start
   */
  constructor(
    readonly path: string,
    private readonly sink: FileSink,
    private readonly source: string,
    readonly startMs: number,
  ) {
    this.lastMs = startMs
  }

  /** Bytes on the disk. */
  get bytes(): number {
    return this.length
  }

  /** Number of written events. */
  get events(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  private get isPacked(): boolean {
    return this.path.endsWith('.zst')
  }

  /** Writes the first line, which marks the recording as open. Throws the system's error. */
  async begin(): Promise<void> {
    const { source, startMs } = this
    const header = {
      format: FORMAT,
      version: VERSION,
      source,
      instruments: [],
      startMs,
      open: true,
    }
    await this.append(`${JSON.stringify(header)}\n`)
    this.headerBytes = this.length
  }

  /** Writes some lines: all of them, or none when it throws the system's error. */
  async write(lines: readonly RecordedLine[]): Promise<void> {
    await this.append(lines.map(({ text }) => text).join(''))
    for (const { time, kind } of lines) {
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1)
      this.firstMs ??= time
      this.lastMs = time
    }
  }

  /** Closes the file and puts a complete header before its lines. */
  async complete(): Promise<void> {
    await this.sink.close()
    const head = Buffer.from(`${JSON.stringify(this.header())}\n`)
    const temporary = temporaryName(this.path)
    try {
      const out = createWriteStream(temporary, { flags: 'wx' })
      out.write(this.isPacked ? zstdCompressSync(head) : head)
      await pipeline(createReadStream(this.path, { start: this.headerBytes }), out)
      await rename(temporary, this.path)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  }

  /** Closes the file and removes it. */
  async discard(): Promise<void> {
    await this.sink.close()
    await rm(this.path, { force: true })
  }

  private header(): TapeHeader {
    const { source, startMs, firstMs, lastMs: endMs } = this
    const counts = Object.fromEntries([...this.counts].sort(([a], [b]) => (a < b ? -1 : 1)))
    const start = { source, instruments: [], startMs: firstMs ?? startMs, endMs }
    return { format: FORMAT, version: VERSION, ...start, counts }
  }

  private async append(text: string): Promise<void> {
    const bytes = this.isPacked ? await packed(text) : Buffer.from(text)
    try {
      await this.sink.write(bytes, this.length)
      this.length += bytes.length
    } catch (error) {
      // Removes a partial line before the next one.
      await this.sink.cut(this.length).catch(() => {})
      throw error
    }
  }
}

const packed = promisify(zstdCompress) as (text: string) => Promise<Buffer>
