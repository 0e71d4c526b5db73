/** SQLite in WebAssembly and Bun's own give the same answers. */
import { Database as BunDatabase } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { Growth } from '../../src/market/growth/growth.ts'
import { beginLine } from '../../src/market/growth/line-file.ts'
import { WasmDatabase } from '../../src/market/wasm/wasm-database.ts'
import { loadWasmSqlite } from '../../src/market/wasm/wasm-sqlite.ts'
import type { Database } from '../../src/market/world/database.ts'
import { worldOf } from '../../src/market/world/world.ts'
import { requestedExamples } from '../fixtures/requested-examples.ts'
import { smallWorld } from '../fixtures/small-world.ts'

let sqlite = await loadWasmSqlite()
// Else the process would keep its memory until it ends.
afterAll(() => {
  sqlite = null as never
})

const both = (): Record<string, Database> => ({
  bun: new BunDatabase(':memory:', { strict: true }),
  wasm: new WasmDatabase(sqlite, 'empty'),
})

/** Results of a task with each of them. */
function ofBoth<T>(task: (db: Database) => T): T[] {
  return Object.values(both()).map((db) => {
    const result = task(db)
    db.close()
    return result
  })
}

test('every example is answered with the same bytes', async () => {
  const world = await smallWorld()
  const content = await Bun.file(world.db.filename).bytes()
  const db = new WasmDatabase(sqlite, 'small', content).copy('copy')
  const copy = worldOf(db, () => db.empty())
  // Rows added by a grown line are invisible up to the tape's end.
  const t0Ms = world.tapeEndMs
  beginLine(db, { baseFile: 'copy', file: 'line', t0Ms, events: [] })
  const growth = Growth.of(db)
  for (const _ of growth.grow(t0Ms + 120_000));
  growth.close()
  const instants = [world.startMs + 90_000, world.tapeEndMs]
  const answers = await requestedExamples(world, instants)
  expect(Object.keys(answers).length).toBeGreaterThan(200)
  expect(await requestedExamples(copy, instants)).toEqual(answers)
  copy.close()
})

test('values are stored and read as the same', () => {
  const given = [5, -(2 ** 31), 2 ** 31, 1_768_478_400_123, 1.5, -0, 2 ** 53 + 2, true, null, '']
  const more = ['é€😀', 'x'.repeat(40), 'é'.repeat(40), 'a\u0000b']
  const [bun, wasm] = ofBoth((db) => {
    const one = db.prepare('select ?1 as value, typeof(?1) as type, ?1 / 2 as half')
    return [...given, ...more].map((value) => one.get(value))
  })
  expect(wasm).toEqual(bun)
  const [mine, theirs] = ofBoth((db) => {
    const blob = db.query('select ? as value, length(?1) as bytes')
    return [[], [1, 0, 255]].map((bytes) => [...blob.values(Uint8Array.from(bytes))].flat())
  })
  expect(mine?.map(String)).toEqual(theirs?.map(String) as string[])
})

test('rows come all, one by one, as lists, and by names', () => {
  const [bun, wasm] = ofBoth((db) => {
    db.exec('create table t (a integer, b text) strict; begin')
    const insert = db.prepare('insert into t values ($a, $b)')
    for (const a of [1, 2, 3]) insert.run({ a, b: `n${a}` })
    db.exec('commit')
    const from = db.query<{ a: number }, [number]>('select * from t where a > ? order by a')
    const first: unknown[] = []
    for (const row of from.iterate(0)) {
      first.push(row)
      if (row.a === 2) break
    }
    return [from.all(1), from.get(2), from.get(9), from.values(0), first]
  })
  expect(wasm).toEqual(bun)
})

test("errors have SQLite's messages", () => {
  for (const db of Object.values(both())) {
    expect(() => db.exec('select * from nowhere')).toThrow('no such table: nowhere')
    expect(() => db.prepare('selekt 1')).toThrow('near "selekt": syntax error')
    db.exec('create table t (a integer unique) strict')
    const insert = db.prepare('insert into t values (?)')
    insert.run(1)
    expect(() => insert.run(1)).toThrow('UNIQUE constraint failed: t.a')
    expect(() => insert.run('text')).toThrow('cannot store TEXT value in INTEGER column t.a')
    db.close()
  }
  expect(() => new WasmDatabase(sqlite, 'none', new Uint8Array(4096).fill(7))).toThrow(
    'file is not a database',
  )
})
