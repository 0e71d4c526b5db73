/**
 * Benchmark of growing the default world by a day after its tape, against storing the rows of that
 * day bare, in the same tables with the same indexes.
 */
import { Database } from 'bun:sqlite'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tableLayouts } from '../src/market/schema/statements.ts'
import { growTo, lineOf } from '../test/fixtures/grown-world.ts'
import { PROJECT_FOLDER } from '../test/fixtures/project-folder.ts'
import { worldOfTape } from '../test/fixtures/small-world.ts'
import { row } from './measure/result-row.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'tapewright-growth-'))
const base = await worldOfTape(path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst'))
const order = lineOf(base, path.join(folder, 'line.sqlite'))
const DAY_MS = 86_400_000
const TABLES = ['trade', 'book', 'mark', 'interest', 'funding', 'fill', 'orders', 'ledger']

/** Starts after the first commit: excludes the creation of the file. */
growTo(order, 2)
const startMs = performance.now()
growTo(order, 2 + DAY_MS / 60_000)
const grownMs = performance.now() - startMs

function storeBare(): number {
  const from = new Database(order.file, { readonly: true })
  const to = new Database(path.join(folder, 'bare.sqlite'), { create: true })
  to.exec('pragma journal_mode = wal; pragma synchronous = normal; begin')
  let tookMs = 0
  for (const { name, create, columns, indexes } of tableLayouts()) {
    if (!TABLES.includes(name)) continue
    for (const statement of [create, ...indexes]) to.exec(statement)
    const rows = from.query(`select * from "${name}" where timeMs > ?`).values(order.t0Ms)
    const insert = to.prepare(`insert into "${name}" values (${columns.map(() => '?').join()})`)
    const fromMs = performance.now()
    for (const values of rows) insert.run(values as never)
    tookMs += performance.now() - fromMs
  }
  const commitMs = performance.now()
  to.exec('commit')
  to.close()
  from.close()
  return tookMs + performance.now() - commitMs
}

const bareMs = storeBare()
base.close()
await rm(folder, { recursive: true })
row({
  name: 'a day of the default world, grown',
  value: DAY_MS / grownMs,
  baseline: DAY_MS / bareMs,
  unit: 'x real time',
})
