import { getTableColumns } from 'drizzle-orm'
import { type TapeMs, tapeMs } from '../../clock/instant.ts'
import type { RecordedGap } from '../bars/recorded-gap.ts'
import type { TimedMarketEvent } from '../events/market-event.ts'
import { columns } from '../rows/columns.ts'
import { type InstrumentRow, instrument, meta as metaTable } from '../schema/schema.ts'
import type { Database } from './database.ts'

/**
 * A world that is open for reading. Rows with a time after "now" are the future: leave them alone.
 */
export interface World {
  /** Read-only connection; shared by everything in this process. */
  readonly db: Database
  /** In the order of their ids, which are their places in this list. */
  readonly instruments: readonly InstrumentRow[]
  /** Those that answers know: all, or fewer as of an instant before others are listed. */
  readonly listed: readonly InstrumentRow[]
  /** The listed ones. */
  readonly byCoin: ReadonlyMap<string, InstrumentRow>
  /** Span of the tape. What lies before startMs is cast as history. */
  readonly startMs: TapeMs
  readonly tapeEndMs: TapeMs
  /** Up to here everything is in its rows: the end of the tape, or later in one that is grown. */
  readonly endMs: TapeMs
  /** Rows up to here are packed as well; Infinity in one that is not grown. */
  readonly packedEndMs: TapeMs
  readonly meta: WorldMeta
  /** A new database in memory, for rows that are made when they are asked for. */
  memory(): Database
  close(): void
}

/** What the `meta` table says. */
export interface WorldMeta {
  /** Source of the tape in words. */
  source: string
  tapeDigest: string
  seed: string
  castingVersion: string
  /** First moment of the history, 30 days before the tape. */
  historyStartMs: TapeMs
  /** Until then minute bars say what the crowd traded; from then on every trade is a row. */
  barsEndMs: TapeMs
  startMs: TapeMs
  /** End of the tape, or where it was cut. */
  tapeEndMs: TapeMs
  /** How far the world goes. */
  endMs: TapeMs
  /** Rows of each table. */
  counts: Record<string, number>
  /** Where its tape lacks something, in order of time. */
  gaps: readonly RecordedGap[]
  /** What its market was told to do, in order of time; nothing where it goes on by itself. */
  marketEvents: readonly TimedMarketEvent[]
}

/**
 * Reads what every reader needs once; the database must be a finished world.
 *
 * @param memory makes another one that is empty
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
