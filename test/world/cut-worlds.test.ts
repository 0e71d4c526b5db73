/** A world cut at an instant equals the world as known then. */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { copyFileSync } from 'node:fs'
import { writePackedRows } from '../../src/market/casting/writing/packed-rows.ts'
import { cutWorld } from '../../src/market/growth/cut/cut-world.ts'
import { type World, worldOf } from '../../src/market/world/world.ts'
import { memoryDatabase } from '../../src/market/world/world-file.ts'
import { IDENTITIES } from '../fixtures/accounting-identities.ts'
import { requestedExamples } from '../fixtures/requested-examples.ts'
import { ownSmallWorld } from '../fixtures/small-world.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const opened: World[] = []
let whole: World
let world: World
let instants: number[]

/** A copy of a world, cut. */
function cutCopy(of: World, atMs: number): World {
  const file = at(`cut-${atMs}.sqlite`)
  copyFileSync(of.db.filename, file)
  const db = new Database(file, { strict: true })
  db.transaction(() => cutWorld(db, atMs))()
  const cut = worldOf(db, memoryDatabase)
  opened.push(cut)
  return cut
}

beforeAll(async () => {
  whole = await ownSmallWorld()
  const cutMs = whole.startMs + 100_000
  world = cutCopy(whole, cutMs)
  instants = [10_000, 60_000, 99_000, 100_000].map((ms) => whole.startMs + ms)
})
afterAll(() => {
  for (const each of [whole, ...opened]) each.close()
})

test("every answer equals the uncut world's at the same instant", async () => {
  const [cut, uncut] = [
    await requestedExamples(world, instants),
    await requestedExamples(whole, instants),
  ]
  expect(Object.keys(uncut).length).toBeGreaterThan(400)
  expect(Object.keys(uncut).filter((name) => cut[name] !== uncut[name])).toEqual([])
})

test('nothing in it is later, and its counts match its rows', () => {
  const counts = world.meta.counts as Record<string, number>
  for (const table of ['trade', 'book', 'fill', 'ledger', 'orders', 'liquidation', 'mark']) {
    const query = `select count(*) as n, max(timeMs) as lastMs from "${table}"`
    const { n, lastMs } = world.db.query(query).get() as { n: number; lastMs: number }
    expect(lastMs).toBeLessThanOrEqual(world.endMs)
    expect([table, n]).toEqual([table, counts[table] as number])
  }
})

test('its packed data equals data packed from its rows', () => {
  const packed = () =>
    world.db.query('select name, key, hex(columns) as columns from packed order by 1, 2').all()
  const cut = packed()
  world.db.exec('begin; delete from packed')
  writePackedRows(world.db)
  const anew = packed()
  world.db.exec('rollback')
  expect(cut).toEqual(anew)
})

test('at the cut only unpublished ends change', () => {
  const same = cutCopy(whole, whole.endMs)
  for (const table of ['trade', 'fill', 'position', 'twap', 'orders', 'ledger', 'packed']) {
    const rows = (of: World) => of.db.query(`select * from "${table}" order by 1, 2`).all()
    expect(rows(same)).toEqual(rows(whole))
  }
})

describe('a world that was cut', () => {
  for (const [identity, check] of Object.entries(IDENTITIES))
    test(identity, () => expect(check(world).slice(0, 5)).toEqual([]))
})
