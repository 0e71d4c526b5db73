/** The table of minute bars, packed (src/market/schema/bar-blocks.ts). */
import { blob, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { time } from './units.ts'

/** A day of minutes before the tape: what the crowd traded, and the price that all traded at. */
export const bars = sqliteTable(
  'bars',
  {
    instrument: integer().notNull(),
    /** Start of the first minute. */
    startMs: time().notNull(),
    minutes: blob({ mode: 'buffer' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.instrument, t.startMs] })],
)
