/** Lines in memory: growth and readers share one database. */
import { afterAll, expect, test } from 'bun:test'
import { TABLES } from '../../src/market/schema/statements.ts'
import type { MoodName } from '../../src/market/synth/mood.ts'
import { WasmDatabase } from '../../src/market/wasm/wasm-database.ts'
import { loadWasmSqlite } from '../../src/market/wasm/wasm-sqlite.ts'
import type { World } from '../../src/market/world/world.ts'
import { MemoryLines } from '../../src/sandbox/worlds/memory-lines.ts'
import { smallWorld } from '../fixtures/small-world.ts'

const MINUTE_MS = 60_000
const cast = await smallWorld()
let sqlite = await loadWasmSqlite()
const content = await Bun.file(cast.db.filename).bytes()
// Else the process would keep its memory until it ends.
afterAll(() => {
  sqlite = null as never
})

const newBase = async (filename: string) => new WasmDatabase(sqlite, filename, content)

/** A line that may be grown by a thread, and ended, repeatedly. */
function lineOf(store: MemoryLines, mood: MoodName | null = null) {
  const name = { baseFile: 'small', t0Ms: cast.tapeEndMs, mood, events: [] }
  const { file, release } = store.take(name)
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
  return { grow, rows: () => rowsOf(store.open(file, cast.tapeEndMs)), release }
}

const rowsOf = ({ db }: World) =>
  TABLES.map((table) => [table, db.query(`select * from "${table}"`).values()])

test('a line is readable, and continues, after its growing thread has ended', async () => {
  const store = new MemoryLines(await newBase('small'), newBase)
  const line = lineOf(store)
  await line.grow(2)
  const before = line.rows()
  line.release(true)
  const again = lineOf(store)
  await again.grow(1)
  expect(again.rows()).toEqual(before)
  await again.grow(4)
  expect(again.rows()).not.toEqual(before)
  // The line grown in the cast database; another one gets its original.
  const other = new MemoryLines(await newBase('small'), newBase)
  await lineOf(other, 'calm').grow(2)
  const neighbour = lineOf(other)
  await neighbour.grow(4)
  expect(neighbour.rows()).toEqual(again.rows())
})

test('a line without memory reports it, and continues when there is some', async () => {
  const base = await newBase('small')
  const line = lineOf(new MemoryLines(base, newBase))
  await line.grow(2)
  // No more pages than there are.
  base.exec('pragma max_page_count = 1')
  await expect(line.grow(4)).rejects.toThrow('the browser has no room left for the market')
  base.exec('pragma max_page_count = 1000000')
  await line.grow(4)
  const other = lineOf(new MemoryLines(await newBase('small'), newBase))
  await other.grow(4)
  expect(line.rows()).toEqual(other.rows())
})
