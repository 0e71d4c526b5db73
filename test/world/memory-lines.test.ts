/** Lines in memory: what grows them and what reads them have one database. */
import { expect, test } from 'bun:test'
import { MemoryLines } from '../../src/sandbox/worlds/memory-lines.ts'
import { TABLES } from '../../src/world/schema/statements.ts'
import { WasmDatabase } from '../../src/world/wasm/wasm-database.ts'
import { loadWasmSqlite } from '../../src/world/wasm/wasm-sqlite.ts'
import type { World } from '../../src/world/world.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const MINUTE_MS = 60_000
const cast = await smallWorld()
const sqlite = await loadWasmSqlite()
const content = await Bun.file(cast.db.filename).bytes()

/** A line in which a thread may grow, and be ended, again and again. */
function newLine() {
  const store = new MemoryLines(new WasmDatabase(sqlite, 'small', content))
  const name = { baseFile: 'small', t0Ms: cast.tapeEndMs, mood: null, events: [] }
  const { file } = store.take()
  const grow = async (minutes: number) => {
    const untilMs = cast.tapeEndMs + minutes * MINUTE_MS
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const grown = (toMs: number) => {
      if (toMs >= untilMs) resolve()
    }
    const thread = store.start({ ...name, file }, { grown, failed: reject })
    thread.growTo(untilMs)
    await promise
    thread.end()
  }
  return { grow, open: () => store.open(file, cast.tapeEndMs) }
}

/** Every row that is there, and what is asked of it by a statement of whoever reads. */
const rowsOf = ({ db }: World) =>
  TABLES.map((table) => [table, db.query(`select * from "${table}"`).values()])

test('a line is read, and goes on, after the thread that grew it has ended', async () => {
  const whole = newLine()
  await whole.grow(4)
  const line = newLine()
  await line.grow(2)
  const world = line.open()
  expect(rowsOf(world)).not.toEqual(rowsOf(whole.open()))
  await line.grow(4)
  expect(rowsOf(world)).toEqual(rowsOf(whole.open()))
})
