import { getTableColumns } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { RecordedGap } from '../bars/recorded-past.ts'
import type { TimedMarketEvent } from '../events/market-event.ts'
import { columns } from '../rows/columns.ts'
import { type InstrumentRow, instrument, meta as metaTable } from '../schema/schema.ts'
import type { Database } from './database.ts'

/** A world open for reading. Rows with a time after "now" are the future and must not be read. */
export interface World {
  /** Read-only connection; shared in this process. */
  readonly db: Database
  /** In the order of their ids, which are their indexes in this list. */
  readonly instruments: readonly InstrumentRow[]
  /** The listed instruments: all, or fewer as of an instant before some listings. */
  readonly listed: readonly InstrumentRow[]
  /** The listed ones. */
  readonly byCoin: ReadonlyMap<string, InstrumentRow>
  /** Span of the tape. Times before startMs are cast as history. */
  readonly startMs: TapeMs
  readonly tapeEndMs: TapeMs
  /** All rows up to here are present: the end of the tape, or later in a grown world. */
  readonly endMs: TapeMs
  /** Rows up to here are packed as well; Infinity in a world that is not grown. */
  readonly packedEndMs: TapeMs
  readonly meta: WorldMeta
  /** Creates a database in memory, for rows that are made on request. */
  memory(): Database
  close(): void
}

/** Contents of the `meta` table. */
export interface WorldMeta {
  /** Source of the tape in words. */
  source: string
  tapeDigest: string
  seed: string
  castingVersion: string
  /** First moment of the history, 30 days before the tape. */
  historyStartMs: TapeMs
  /** Before it, minute bars contain the crowd's trades; from then on every trade is a row. */
  barsEndMs: TapeMs
  startMs: TapeMs
  /** End of the tape, or of its cut part. */
  tapeEndMs: TapeMs
  /** End of the world. */
  endMs: TapeMs
  /** Rows of each table. */
  counts: Record<string, number>
  /** Gaps of its tape, in order of time. */
  gaps: readonly RecordedGap[]
  /** Market events, in order of time; empty for an untouched market. */
  marketEvents: readonly TimedMarketEvent[]
}

/**
 * Reads the basic facts of a finished world.
 *
 * @param memory creates an empty database
 */
export function worldOf(db: Database, memory: () => Database): World {
  const { key, value: text } = metaTable
  const rows = columns({ key, text }).prepare<[]>(db, 'from meta').all()
  const values = new Map(rows.map((row) => [row.key, row.text]))
  const value = (key: string) => values.get(key) ?? ''
  const meta: WorldMeta = {
    source: value('source'),
    tapeDigest: value('tapeDigest'),
    seed: value('seed'),
    castingVersion: value('castingVersion'),
    historyStartMs: tapeMs(Number(value('historyStartMs'))),
    barsEndMs: tapeMs(Number(value('barsEndMs'))),
    startMs: tapeMs(Number(value('startMs'))),
    tapeEndMs: tapeMs(Number(value('endMs'))),
    endMs: tapeMs(Number(values.get('grownToMs') ?? value('endMs'))),
    counts: JSON.parse(value('counts')),
    gaps: JSON.parse(values.get('gaps') ?? '[]'),
    marketEvents: JSON.parse(values.get('marketEvents') ?? '[]'),
  }
  const instruments = columns(getTableColumns(instrument))
    .prepare<[]>(db, 'from instrument order by id')
    .all()
  const byCoin = new Map(instruments.map((row) => [row.coin, row]))
  const { startMs, tapeEndMs, endMs } = meta
  const packedEndMs = values.has('grownToMs') ? tapeEndMs : tapeMs(Number.POSITIVE_INFINITY)
  const close = () => db.close()
  const listed = instruments
  const span = { startMs, tapeEndMs, endMs, packedEndMs }
  return { db, instruments, listed, byCoin, ...span, meta, memory, close }
}
