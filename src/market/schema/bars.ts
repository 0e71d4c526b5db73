/** The table of minute bars, packed (src/market/schema/bar-blocks.ts). */
import { blob, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { time } from './units.ts'

/** A day of minutes before the tape: the crowd's trades, and the price common to all. */
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
