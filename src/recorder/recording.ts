/** What is being recorded: events in the order in which they happen, as lines of a tape. */
import { type RecordedData, recordedLine } from './file/recorded-line.ts'
import { RecordingWriter } from './file/recording-writer.ts'
import type { RecordingSettings } from './recording-settings.ts'

/** Longer lines are read by nobody. */
const LINE_BYTES_MAX = 48 * 1024 * 1024

export class Recording {
  private seq = 0
  private lastMs = 0
  private writer: RecordingWriter | null = null

  private constructor(private readonly settings: RecordingSettings) {}

  /** Begins its first file; a UserError says why that cannot be. */
  static async begin(settings: RecordingSettings): Promise<Recording> {
    const recording = new Recording(settings)
    recording.writer = await RecordingWriter.begin(settings, ({ fromMs, count, why }) =>
      recording.line('gap', { fromMs, why, lost: count }),
    )
    return recording
  }

  /** Events that were written and lost, and how many files there are. */
  get counts(): RecordingWriter['counts'] {
    return this.writer?.counts ?? { events: 0, lost: 0, files: 0 }
  }

  /** The moment, whole ms since 1970; it never goes back. */
  nowMs(): number {
    this.lastMs = Math.max(this.lastMs, Math.floor(this.settings.clock.nowMs()))
    return this.lastMs
  }

  /** Adds something that happens now. Secrets have been taken out of it. */
  add<K extends keyof RecordedData>(kind: K, data: RecordedData[K]): void {
    const line = this.line(kind, data)
    if (Buffer.byteLength(line.text) <= LINE_BYTES_MAX) return this.writer?.add(line)
    const why = `one ${kind} is longer than a line may be`
    this.writer?.add(this.line('gap', { fromMs: line.time, why, lost: 1 }))
  }

  /** Writes what waits and completes the file. */
  async end(): Promise<void> {
    await this.writer?.end()
  }

  /** Removes the file again, which nothing has been added to. */
  async discard(): Promise<void> {
    await this.writer?.discard()
  }

  private line<K extends keyof RecordedData>(kind: K, data: RecordedData[K]) {
    return recordedLine(kind, { time: this.nowMs(), seq: ++this.seq }, data)
  }
}
