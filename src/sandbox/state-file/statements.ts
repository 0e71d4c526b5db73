/**
 * The statements of a state file. Reading goes through drizzle; the writes of every request are
 * prepared once, because building them would cost more than they do.
 */
import type { Database } from 'bun:sqlite'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { counterTable, partTable, sandboxTable } from './tables.ts'

export type Statements = ReturnType<typeof statementsOf>

export function statementsOf(db: Database) {
  const tables = drizzle(db)
  const put = db.query<void, [string, string, string, string]>(
    'insert into part (sandbox, kind, id, value) values (?, ?, ?, ?) ' +
      'on conflict (sandbox, kind, id) do update set value = excluded.value',
  )
  const remove = db.query<void, [string, string, string]>(
    'delete from part where sandbox = ? and kind = ? and id = ?',
  )
  return {
    sandboxes: () => tables.select().from(sandboxTable).orderBy(asc(sandboxTable.place)).all(),
    sandbox: (id: string) => {
      const row = tables.select().from(sandboxTable).where(eq(sandboxTable.id, id)).get()
      if (!row) throw new Error(`sandbox "${id}" is not stored`)
      return row
    },
    parts: (id: string) =>
      tables
        .select()
        .from(partTable)
        .where(eq(partTable.sandbox, id))
        .orderBy(asc(partTable.place))
        .all(),
    note: (name: string) =>
      tables.select().from(counterTable).where(eq(counterTable.name, name)).get()?.value,
    setNote: (name: string, value: number) => {
      const target = counterTable.name
      tables
        .insert(counterTable)
        .values({ name, value })
        .onConflictDoUpdate({ target, set: { value } })
        .run()
    },
    add: (id: string, version: number, world: string, options: string, from: string | null) => {
      const set = { version, world, options, from }
      const target = sandboxTable.id
      tables
        .insert(sandboxTable)
        .values({ id, ...set })
        .onConflictDoUpdate({ target, set })
        .run()
    },
    clear: (id: string) => {
      tables.delete(partTable).where(eq(partTable.sandbox, id)).run()
    },
    forget: (id: string) => {
      tables.delete(partTable).where(eq(partTable.sandbox, id)).run()
      tables.delete(sandboxTable).where(eq(sandboxTable.id, id)).run()
    },
    put: (id: string, kind: string, name: string, value: string) => put.run(id, kind, name, value),
    remove: (id: string, kind: string, name: string) => remove.run(id, kind, name),
  }
}
