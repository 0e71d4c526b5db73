import { UserError } from '../../platform/user-error.ts'
import type { EventDraft } from '../tape-event.ts'
import type { BadRows } from './bad-rows.ts'
import { csvCells } from './csv-cells.ts'
import { NumberFlaw } from './decimal-reader.ts'
import type { Importer, RecordingReader } from './importer.ts'
import type { ImportRecord, RecordBatch, RecordingFile } from './recording-file.ts'
import { cellNumber } from './table-columns.ts'
import { TableRow } from './table-row.ts'

/** Sources disagree by seconds; a record this much older than one ahead is out of order. */
const BACKWARDS_MAX_MS = 60_000

/** Records of a file that tell where in time it begins: the first ones may repeat older trades. */
const BEGINNING = 100

/** A file of a recording does not go on where the one before it ends. */
class FilesOverlap extends UserError {
  override name = 'FilesOverlap'
}

/** What files tell that one reader reads, event by event as they are asked for. */
export class DraftStream {
  /** The events of the record whose turn it is; empty when there is none left. */
  drafts: EventDraft[] = []
  /** Their time: that of the first, never before that of the record ahead. */
  timeMs = 0
  /** Records read, of all files. */
  records = 0
  /** How many of the files are begun. */
  begun = 0
  private file: RecordingFile | null = null
  private batches: AsyncGenerator<RecordBatch, void, undefined> | null = null
  private batch: RecordBatch = { first: 0, records: [] }
  private at = 0
  private hasEnded = false
  /** How a file after the first one begins, until it is known to be later than the one before. */
  private beginning: { endMs: number; newestMs: number; records: number } | null = null

  constructor(
    private readonly files: readonly RecordingFile[],
    readonly importer: Importer,
    readonly reader: RecordingReader,
    private readonly badRows: BadRows,
  ) {}

  /** Goes on to the next record that tells something; a promise only where files are read. */
  next(): Promise<void> | undefined {
    const { records } = this.batch
    while (this.at < records.length) {
      const record = records[this.at++] ?? ''
      this.records++
      if (this.read(record)) return undefined
    }
    return this.refill()
  }

  /** Where the present record stands: `file: line 12`. */
  place(): string {
    if (!this.file) return 'the import'
    return `${this.file.source.name}: ${this.file.unit} ${this.batch.first + this.at - 1}`
  }

  /** Takes what is wrong with the present record. */
  refuse(why: string): void {
    this.badRows.add(this.place(), why)
  }

  async close(): Promise<void> {
    await this.batches?.return()
    this.batches = null
  }

  private read(record: ImportRecord): boolean {
    let told: ImportRecord | null = null
    try {
      told = this.told(record)
      if (told === null) return false
      const drafts = this.reader.record(told as never, this.batch.first + this.at - 1)
      if (drafts.length === 0) return false
      this.take(drafts)
      return true
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof FilesOverlap) throw error
      this.refuse(error.message + this.columnOf(error, told))
      return false
    }
  }

  /** Names the columns of a table in which a number cannot be read. */
  private columnOf(error: UserError, told: ImportRecord | null): string {
    const { columns = null } = this.file?.sample ?? {}
    if (!(error instanceof NumberFlaw && told instanceof TableRow)) return ''
    const names = told
      .cells()
      .flatMap((cell, at) => (meansSame(cell, error.written) ? [columns?.[at] ?? String(at)] : []))
    return names.length === 0 ? '' : `, column ${names.join(' or ')}`
  }

  /** What a reader is told: the record, and of a table its cells; null where there are none. */
  private told(record: ImportRecord): ImportRecord | null {
    if (typeof record !== 'string' || this.file?.sample.container !== 'table') return record
    return record.trim() === '' ? null : TableRow.of(csvCells(record, this.file.delimiter))
  }

  private take(drafts: EventDraft[]): void {
    const time = drafts[0]?.time ?? 0
    if (this.importer.order === 'merged' && time < this.timeMs - BACKWARDS_MAX_MS)
      throw new UserError(
        `goes back in time by ${Math.round((this.timeMs - time) / 1000)} s: sort the file by time`,
      )
    if (this.beginning !== null) this.follow(drafts, this.beginning)
    this.drafts = drafts
    this.timeMs = Math.max(this.timeMs, time)
  }

  /** Refuses a file that begins with times from before the end of the one before it. */
  private follow(drafts: readonly EventDraft[], beginning: NonNullable<typeof this.beginning>) {
    for (const { time } of drafts) beginning.newestMs = Math.max(beginning.newestMs, time)
    if (beginning.newestMs >= beginning.endMs - BACKWARDS_MAX_MS) this.beginning = null
    else if (++beginning.records === BEGINNING) this.checkBeginning()
  }

  private checkBeginning(): void {
    const { beginning, files, begun } = this
    this.beginning = null
    if (beginning === null || beginning.records === 0) return
    const [before = '', name = ''] = files.slice(begun - 2, begun).map(({ source }) => source.name)
    const seconds = Math.round((beginning.endMs - beginning.newestMs) / 1000)
    throw new FilesOverlap(
      `${name}: is still ${seconds} s before the end of ${before}: give files in their order; ` +
        'recordings of the same time are imported each by itself and combined with tape merge',
    )
  }

  private async refill(): Promise<void> {
    for (;;) {
      const { value } = (await this.batches?.next()) ?? {}
      if (value) {
        this.batch = value
        this.at = 0
        const waiting = this.next()
        if (waiting) await waiting
        return
      }
      if (this.begun === this.files.length) return this.finish()
      this.begin(this.files[this.begun++] as RecordingFile)
    }
  }

  private begin(file: RecordingFile): void {
    this.checkBeginning()
    if (this.timeMs > 0) this.beginning = { endMs: this.timeMs, newestMs: 0, records: 0 }
    this.file = file
    this.batch = { first: 1, records: [] }
    this.at = 1
    try {
      this.reader.begin?.(file.sample)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      throw new UserError(`${this.place()} ${error.message}`)
    }
    this.batches = file.batches()
  }

  private finish(): void {
    this.drafts = []
    if (this.hasEnded) return
    this.hasEnded = true
    this.checkBeginning()
    try {
      this.drafts = this.reader.end()
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      // What candles are is known at the end, and said with file and line.
      const isPlaced = this.files.some(({ source }) => error.message.startsWith(source.name))
      if (isPlaced) throw error
      this.refuse(error.message)
    }
    this.timeMs = Math.max(this.timeMs, this.drafts[0]?.time ?? 0)
  }
}

/** Whether a cell is what a number was read from: `1e25` written out, or `NaN` for none. */
function meansSame(cell: string, written: string): boolean {
  if (cell === written) return true
  try {
    return (cellNumber(cell) ?? '') === written
  } catch {
    return false
  }
}
