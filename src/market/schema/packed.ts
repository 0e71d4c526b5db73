/** The table of packed columns (src/market/schema/packed-sections.ts). */
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PackedName } from './packed-sections.ts'

/** Copies of rows of other tables, written when those are complete. */
export const packed = sqliteTable(
  'packed',
  {
    name: text().$type<PackedName>().notNull(),
    /** trader.id or instrument.id; 0 for the whole world. */
    key: integer().notNull(),
    columns: blob({ mode: 'buffer' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.key] })],
)
