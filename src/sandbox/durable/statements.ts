/**
 * What is asked of a state file. Reading goes through drizzle; the writes of every request are
 * prepared once, because building them would cost more than they do.
 */
import type { Database } from 'bun:sqlite'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { note, part, sandbox } from './tables.ts'

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
    sandboxes: () => tables.select().from(sandbox).orderBy(asc(sandbox.place)).all(),
    parts: (id: string) =>
      tables.select().from(part).where(eq(part.sandbox, id)).orderBy(asc(part.place)).all(),
    note: (name: string) => tables.select().from(note).where(eq(note.name, name)).get()?.value,
    setNote: (name: string, value: number) => {
      const target = note.name
      tables
        .insert(note)
        .values({ name, value })
        .onConflictDoUpdate({ target, set: { value } })
        .run()
    },
    add: (id: string, version: number, world: string, made: string, from: string | null) => {
      const set = { version, world, made, from }
      const target = sandbox.id
      tables
        .insert(sandbox)
        .values({ id, ...set })
        .onConflictDoUpdate({ target, set })
        .run()
    },
    clear: (id: string) => {
      tables.delete(part).where(eq(part.sandbox, id)).run()
    },
    forget: (id: string) => {
      tables.delete(part).where(eq(part.sandbox, id)).run()
      tables.delete(sandbox).where(eq(sandbox.id, id)).run()
    },
    put: (id: string, kind: string, name: string, value: string) => put.run(id, kind, name, value),
    remove: (id: string, kind: string, name: string) => remove.run(id, kind, name),
  }
}
