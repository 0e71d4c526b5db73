import { UserError } from '../../platform/user-error.ts'
import type { EventDraft, Level } from '../tape-event.ts'
import type { BadRows, LeftOut } from './bad-rows.ts'
import { csvCells } from './csv-cells.ts'
import { NumberFlaw } from './decimal-reader.ts'
import type { Importer, RecordingReader } from './importer.ts'
import type { ImportRecord, RecordBatch, RecordingFile } from './recording-file.ts'
import { cellNumber, TableRow } from './table-row.ts'
import type { SeenTrades, TradeMark } from './trade-ids.ts'

/** Sources disagree by seconds; a record this much older than its predecessor is out of order. */
const BACKWARDS_MAX_MS = 60_000

/** Number of first records that date a file: they may repeat older trades. */
const BEGINNING = 100

/** A file of a recording overlaps with the one before it. */
class FilesOverlap extends UserError {
  override name = 'FilesOverlap'
}

/** Events of the files of one reader, pulled one by one. */
export class DraftStream {
  /** Events of the present record; empty at the end. */
  drafts: EventDraft[] = []
  /** Their time: that of the first, never before the previous record's. */
  timeMs = 0
  /** Records read, of all files. */
  records = 0
  /** Number of opened files. */
  begun = 0
  private file: RecordingFile | null = null
  private batches: AsyncGenerator<RecordBatch, void, undefined> | null = null
  private batch: RecordBatch = { first: 0, records: [] }
  private at = 0
  private hasEnded = false
  /** Beginning of a later file, until it is known not to overlap with the one before. */
  private beginning: { endMs: number; newestMs: number; records: number } | null = null

  constructor(
    private readonly files: readonly RecordingFile[],
    readonly importer: Importer,
    readonly reader: RecordingReader,
    private readonly badRows: BadRows,
    private readonly trades: SeenTrades,
  ) {}

  /** Trades that the present record marked as seen. */
  private marks: readonly TradeMark[] = []

  /** Advances to the next record with events; a promise only where files are read. */
  next(): Promise<void> | undefined {
    const { records } = this.batch
    while (this.at < records.length) {
      const record = records[this.at++] ?? ''
      this.records++
      if (this.read(record)) return undefined
    }
    return this.refill()
  }

  /** Place of the present record: `file: line 12`. */
  place(): string {
    if (!this.file) return 'the import'
    return `${this.file.source.name}: ${this.file.unit} ${this.batch.first + this.at - 1}`
  }

  /** Reports a flaw of the present record. */
  refuse(why: string): void {
    this.badRows.add(this.place(), why)
    // Of several it is not known which one was refused: the others may be in the tape.
    if (this.marks.length === 1) for (const { tid, ids } of this.marks) ids.release(tid)
  }

  async close(): Promise<void> {
    await this.batches?.return()
    this.batches = null
  }

  private read(record: ImportRecord): boolean {
    let reported: ImportRecord | null = null
    try {
      reported = this.reported(record)
      if (reported === null) return false
      const drafts = this.reader.record(reported as never, this.batch.first + this.at - 1)
      this.marks = this.trades.takeMarks()
      if (drafts.length === 0) return false
      this.take(drafts)
      return true
    } catch (error) {
      if (!(error instanceof UserError) || error instanceof FilesOverlap) throw error
      this.marks = this.trades.takeMarks()
      this.refuse(error.message + this.columnOf(error, reported))
      return false
    }
  }

  /** Names the columns of a table in which a number is unreadable. */
  private columnOf(error: UserError, reported: ImportRecord | null): string {
    const { columns = null } = this.file?.sample ?? {}
    if (!(error instanceof NumberFlaw && reported instanceof TableRow)) return ''
    const names = reported
      .cells()
      .flatMap((cell, at) => (meansSame(cell, error.written) ? [columns?.[at] ?? String(at)] : []))
    return names.length === 0 ? '' : `, column ${names.join(' or ')}`
  }

  /** The reported record, with a table's cells; null where there are none. */
  private reported(record: ImportRecord): ImportRecord | null {
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

  /** Refuses a file that begins before the end of the one before it. */
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
      // Candles are checked at the end, and their errors name file and line already.
      const isPlaced = this.files.some(({ source }) => error.message.startsWith(source.name))
      if (isPlaced) throw error
      this.refuse(error.message)
    }
    this.timeMs = Math.max(this.timeMs, this.drafts[0]?.time ?? 0)
  }
}

/** Whether a cell is the source of a number: `1e25` written out, or `NaN` for none. */
function meansSame(cell: string, written: string): boolean {
  if (cell === written) return true
  try {
    return (cellNumber(cell) ?? '') === written
  } catch {
    return false
  }
}

/** Exceeds the levels of any exchange's book. */
const LEVELS_MAX = 200_000

/** One level of a book in a row. */
interface LevelRow {
  coin: string
  time: number
  /** Shared by the rows of one message. */
  message: string
  /** Whether it is a part of a full book. */
  isSnapshot: boolean
  /** Whether its message is a full book by itself, not one of several parts. */
  isWhole?: boolean
  side: 'bid' | 'ask'
  level: Level
}

/** Rows of one message. */
interface Group {
  coin: string
  message: string
  isSnapshot: boolean
  isWhole: boolean
  time: number
  bid: Map<string, Level>
  ask: Map<string, Level>
}

/**
 * Assembles books from rows of one level: rows of one message are one change. Rows of a snapshot
 * share its instant, their message or their time, and are the full book: a new instant begins a new
 * book. Changes before the first snapshot are dropped.
 */
export class LevelGroups {
  private group: Group | null = null
  /** Last message of a coin where it was a snapshot or a part of one, else null. */
  private readonly snapshots = new Map<string, Pick<Group, 'message' | 'time'> | null>()

  constructor(private readonly leftOut: LeftOut) {}

  /** Takes a level; returns the previous message when it begins another. */
  put(row: LevelRow): EventDraft[] {
    const { coin, time, message, isSnapshot, isWhole = false, side, level } = row
    const ready = this.group !== null && isOf(this.group, row) ? [] : this.end()
    this.group ??= { coin, message, isSnapshot, isWhole, time, bid: new Map(), ask: new Map() }
    const levels = this.group[side]
    levels.set(level[0], level)
    if (levels.size > LEVELS_MAX)
      throw new UserError(`has more than ${LEVELS_MAX} levels on a side of a book`)
    this.group.time = Math.max(this.group.time, time)
    return ready
  }

  /** Returns the message in progress. */
  end(): EventDraft[] {
    const { group } = this
    this.group = null
    if (group === null) return []
    const { isSnapshot, isWhole, coin, time, message } = group
    const before = this.snapshots.get(coin)
    if (!isSnapshot && before === undefined) {
      this.leftOut.count('change of a book before its first snapshot')
      return []
    }
    // Rows of other coins may be between those of one snapshot.
    const isPart = before != null && (before.message === message || before.time === time)
    const isFull = isWhole || (isSnapshot && !isPart)
    this.snapshots.set(coin, isSnapshot ? { message, time } : null)
    const data = { bids: ordered(group.bid, -1, isFull), asks: ordered(group.ask, 1, isFull) }
    return [{ time, kind: isFull ? 'book' : 'delta', coin, data }]
  }
}

/** Whether a row belongs to the message in progress. */
function isOf(group: Group, { coin, time, message, isSnapshot, isWhole }: LevelRow): boolean {
  if (group.coin !== coin || group.isSnapshot !== isSnapshot) return false
  return group.message === message || (isSnapshot && !isWhole && group.time === time)
}

function ordered(side: ReadonlyMap<string, Level>, direction: 1 | -1, isFull: boolean): Level[] {
  return [...side.values()]
    .filter(([, sz]) => !isFull || sz !== '0')
    .sort(([a], [b]) => direction * (Number(a) - Number(b)))
}
