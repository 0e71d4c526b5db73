import { HOUR_MS } from '../../clock/instant.ts'
import { UserError } from '../../platform/user-error.ts'
import type { RowSink, TableRow } from '../casting/writing/row-sink.ts'
import { TableInsert } from '../casting/writing/table-insert.ts'
import { type TableName, tableLayouts } from '../schema/statements.ts'
import { type Database, metaValue, type SqlValue } from '../world/database.ts'
import { FACTS_KEY, type LineFacts, readFacts } from './line-file.ts'
import { Segment } from './segment.ts'

/** Length of market time per commit. */
const COMMIT_MS = 120_000
/** Ends of a line's first commits, after its beginning: an event is seen at once. */
const FIRST_COMMITS_MS = [10_000, 20_000, 30_000, 60_000, 120_000]
/** Limit of a file: rows that were shown stay, so it never shrinks. */
const MOST_BYTES = 16 * 2 ** 30

/** Grows a line on the one thread that writes its file; other threads read it meanwhile. */
export class Growth {
  private readonly rows: GrownRows
  private segment: Segment | null = null
  private grownMs: number

  private constructor(
    private readonly db: Database,
    private facts: LineFacts,
    private readonly mostBytes: number,
  ) {
    this.grownMs = Number(metaValue(db, 'grownToMs'))
    this.rows = new GrownRows(db, facts.segmentMs, this.grownMs)
  }

  /**
   * The growth of an existing line, continued from its last commit.
   *
   * @param mostBytes limit of its file
   */
  static of(db: Database, mostBytes = MOST_BYTES): Growth {
    const facts = readFacts(db)
    if (!facts) throw new Error(`${db.filename} is malformed: it is not the file of a line`)
    return new Growth(db, facts, mostBytes)
  }

  /** Everything up to this instant is in the file, and never changes. */
  get grownToMs(): number {
    return this.grownMs
  }

  /**
   * Grows the line up to an instant, or to the end of the commit that contains it; yields
   * `grownToMs` after each commit, where it may be paused. A UserError when its file has reached
   * its limit.
   */
  *grow(untilMs: number): Generator<number, void> {
    while (this.grownMs < untilMs) {
      this.checkSize()
      const segment = this.segment ?? new Segment(this.db, this.facts, this.rows)
      this.segment = segment
      const toMs = Math.min(this.nextCommitMs(this.rows.finalMs), segment.endMs)
      segment.grow(toMs)
      this.commit(segment, toMs)
      if (toMs < this.grownMs) continue
      this.grownMs = toMs
      yield toMs
    }
  }

  /** Rolls back uncommitted rows, which are grown again; readers may continue. */
  close(): void {
    this.rows.close()
  }

  /** End of the commit after an instant: a function of the line, not of what is wanted of it. */
  private nextCommitMs(atMs: number): number {
    const { beginMs } = this.facts
    const first = FIRST_COMMITS_MS.find((afterMs) => beginMs + afterMs > atMs)
    return first === undefined ? atMs + COMMIT_MS : beginMs + first
  }

  private checkSize(): void {
    const [pages, size] = ['page_count', 'page_size'].map(
      (name) => (this.db.query(`pragma ${name}`).values()[0] as [number])[0],
    ) as [number, number]
    if (pages * size < this.mostBytes) return
    const hours = Math.floor((this.grownMs - Number(metaValue(this.db, 'endMs'))) / HOUR_MS)
    throw new UserError(
      `it has gone on for ${hours} hours after its tape, and its file takes ` +
        `${Math.floor(this.mostBytes / 1e9)} GB, which is the most: begin anew with reset`,
    )
  }

  private commit(segment: Segment, toMs: number): void {
    if (toMs < segment.endMs) return this.rows.commit(toMs, {})
    // The next segment begins with the file's content at that time.
    const { segmentMs: _, numbers: __, ...facts } = this.facts
    const numbers = structuredClone(segment.numbers)
    this.facts = { ...facts, segmentMs: toMs, numbers }
    this.rows.commit(toMs, { [FACTS_KEY]: JSON.stringify(this.facts) })
    this.segment = null
  }
}

/** Columns that change when an open row is written again. */
const CHANGING: Partial<Record<TableName, { key: string; columns: readonly string[] }>> = {
  orders: { key: 'oid', columns: ['filledSz', 'endMs', 'endStatus', 'hash'] },
  twap: { key: 'id', columns: ['endMs', 'endStatus', 'executedSz', 'executedNotional'] },
  position: {
    key: 'id',
    columns: [
      ...['closeMs', 'closeFill', 'maxSz', 'openSz', 'openNotional', 'closeSz', 'closeNotional'],
      ...['closedPnl', 'fees', 'funding', 'liquidation'],
    ],
  },
}

/** Made when the thread that grows is loaded. */
const TABLES = tableLayouts()

/** Adds rows to a line's file; committed ones are visible to readers and permanent. */
export class GrownRows implements RowSink {
  readonly counts: Record<string, number> = {}
  private readonly tables = new Map<string, TableInsert>()
  private isOpen = false

  /** @param finalMs end of the file's content; rows up to it exist already */
  constructor(
    private readonly db: Database,
    public finalMs: number,
    private writtenMs: number,
  ) {
    for (const { name, columns } of TABLES) {
      const names = columns.map((column) => column.name)
      this.tables.set(name, new TableInsert(db, name, names, onConflict(name as TableName)))
      this.counts[name] = 0
    }
  }

  add<N extends TableName>(name: N, row: TableRow<N>): void {
    if (this.finalMs < this.writtenMs) return
    const table = this.tables.get(name)
    if (!table) throw new Error(`no table ${name}`)
    if (!this.isOpen) this.begin()
    table.add(row as Record<string, SqlValue>)
    this.counts[name] = (this.counts[name] ?? 0) + 1
  }

  /** Commits all rows up to an instant, together with some facts about it. */
  commit(atMs: number, facts: Readonly<Record<string, string>>): void {
    const isNew = atMs > this.writtenMs
    this.finalMs = atMs
    if (!isNew) return
    if (!this.isOpen) this.begin()
    for (const table of this.tables.values()) table.flush()
    const set = this.db.query('insert or replace into meta values (?, ?)')
    for (const [key, value] of Object.entries(facts)) set.run(key, value)
    set.run('grownToMs', String(atMs))
    this.db.exec('commit')
    this.isOpen = false
    this.writtenMs = atMs
  }

  /** Rolls back uncommitted rows. */
  close(): void {
    try {
      if (this.isOpen) this.db.exec('rollback')
    } catch {
      // SQLite has rolled back already, as it does when the disk is full.
    }
    this.isOpen = false
    for (const table of this.tables.values()) table.finalize()
  }

  private begin(): void {
    this.db.exec('begin immediate')
    this.isOpen = true
  }
}

/** The clause that writes an open row again. */
function onConflict(name: TableName): string {
  const changing = CHANGING[name]
  if (!changing) return ''
  const sets = changing.columns.map((column) => `"${column}" = excluded."${column}"`)
  return ` on conflict ("${changing.key}") do update set ${sets.join(', ')}`
}
