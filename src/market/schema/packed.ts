/** The table of what is packed by column (src/market/schema/packed-sections.ts). */
import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PackedName } from './packed-sections.ts'

/** Rows of other tables once more, written when those are complete. */
export const packed = sqliteTable(
  'packed',
  {
    name: text().$type<PackedName>().notNull(),
    /** trader.id or instrument.id; 0 where there is one for the whole world. */
    key: integer().notNull(),
    columns: blob({ mode: 'buffer' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.name, t.key] })],
)
