import { HOUR_MS } from '../../clock/durations.ts'
import { UserError } from '../../platform/user-error.ts'
import type { Database } from '../world/database.ts'
import { GrownRows } from './grown-rows.ts'
import { FACTS_KEY, type LineFacts, metaValue, readFacts } from './line-facts.ts'
import { Segment } from './segment.ts'

/** So much of the market is committed at once. */
const COMMIT_MS = 120_000
/** As much as a file may take: what has been shown stays, so there has to be an end to it. */
const MOST_BYTES = 16 * 2 ** 30

/** A line being grown by the one thread that writes its file; others read it meanwhile. */
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
   * The growth of a line that was begun; what was left half-grown is gone on from.
   *
   * @param mostBytes that its file may take
   */
  static of(db: Database, mostBytes = MOST_BYTES): Growth {
    const facts = readFacts(db)
    if (!facts) throw new Error(`${db.filename} is malformed: it is no file of a line`)
    return new Growth(db, facts, mostBytes)
  }

  /** Everything up to this instant is in the file, and never changes. */
  get grownToMs(): number {
    return this.grownMs
  }

  /**
   * Grows the line up to an instant, or as far beyond it as a commit goes; answers `grownToMs`
   * after each commit, where it may be left and gone on with later. A UserError when its file has
   * become as large as one may be.
   */
  *grow(untilMs: number): Generator<number, void> {
    while (this.grownMs < untilMs) {
      this.checkSize()
      const segment = this.segment ?? new Segment(this.db, this.facts, this.rows)
      this.segment = segment
      const toMs = Math.min(this.rows.finalMs + COMMIT_MS, segment.endMs)
      segment.grow(toMs)
      this.commit(segment, toMs)
      if (toMs < this.grownMs) continue
      this.grownMs = toMs
      yield toMs
    }
  }

  /** Gives up what is not committed, which is grown again; others may go on reading. */
  close(): void {
    this.rows.close()
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
    // The next segment begins with what is in the file by then.
    const { key, wander, surveys, profiles } = this.facts
    const numbers = structuredClone(segment.numbers)
    this.facts = { key, wander, surveys, profiles, segmentMs: toMs, numbers }
    this.rows.commit(toMs, { [FACTS_KEY]: JSON.stringify(this.facts) })
    this.segment = null
  }
}
