/** The tables of a state file. What is in them is made by the migrations beside this file. */
import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'

/** Sandboxes, in the order in which they were made. */
export const sandboxTable = sqliteTable('sandbox', {
  place: integer().primaryKey(),
  id: text().notNull().unique(),
  /** Version of the form of its parts. */
  version: integer().notNull(),
  /** Tape digest and seed. */
  world: text().notNull(),
  /** The options that it was made with, JSON. */
  options: text('made').notNull(),
  /** The snapshot that it was made from, JSON. */
  from: text(),
})

/** The state of each sandbox, each part as JSON; `place` is the order of making. */
export const partTable = sqliteTable(
  'part',
  {
    place: integer().primaryKey(),
    sandbox: text().notNull(),
    kind: text().notNull(),
    id: text().notNull(),
    value: text().notNull(),
  },
  ({ sandbox, kind, id }) => [unique().on(sandbox, kind, id)],
)

/** What belongs to no sandbox. */
export const counterTable = sqliteTable('note', {
  name: text().primaryKey(),
  value: integer().notNull(),
})
