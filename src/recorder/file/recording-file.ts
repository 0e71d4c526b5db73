/** One file of a recording, which can be read to its last whole line at any time. */
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { zstdCompress, zstdCompressSync } from 'node:zlib'
import type { ConnectionData } from '../../tape/recorded-data.ts'
import { type EventKind, FORMAT, type TapeHeader, VERSION } from '../../tape/tape-event.ts'
import { temporaryName } from '../../tape/text-sink.ts'
import type { FileSink } from './file-sink.ts'

/** A line that is to be written, with what the header will say of it. */
export interface RecordedLine {
  time: number
  seq: number
  kind: EventKind
  /** The line with its end. */
  text: string
  /** What a line of a connection says. */
  connection?: ConnectionData
}

export class RecordingFile {
  private readonly counts = new Map<EventKind, number>()
  private length = 0
  private headerBytes = 0
  private firstMs: number | null = null
  private lastMs: number

  /**
   * @param source where the recording came from, in words
   * @param startMs when it was begun
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

  /** Events that were written. */
  get events(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0)
  }

  private get isPacked(): boolean {
    return this.path.endsWith('.zst')
  }

  /** Writes the first line, which says that there is no end yet. Throws what the system says. */
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

  /** Writes some lines: all of them, or none when it throws what the system says. */
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
      // Half a line must not stand before the next one.
      await this.sink.cut(this.length).catch(() => {})
      throw error
    }
  }
}

const packed = promisify(zstdCompress) as (text: string) => Promise<Buffer>
