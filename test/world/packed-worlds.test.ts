/** Packed worlds: smaller than their files, and the same rows and indexes when unpacked. */
import { Database } from 'bun:sqlite'
import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { packedFile, packWorld } from '../../src/market/world/packed-world.ts'
import { openWorld } from '../../src/market/world/world-file.ts'
import { handWrittenWorld } from '../fixtures/cast-world.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { rowDigests } from '../fixtures/rows-digest.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
let [cast, packed] = ['', '']

beforeAll(async () => {
  mkdirSync(at('packed'))
  const world = await handWrittenWorld()
  cast = world.db.filename
  world.close()
  packed = await packWorld(cast, at('packed'))
})

/** Opens the world from a cache folder and the folder of packed ones; it must not be cast. */
async function unpacked(cacheDir: string): Promise<string> {
  const world = await openWorld({
    tapeDigest: handWrittenTape().digest,
    seed: 1,
    cacheDir,
    packedDir: at('packed'),
    log: (text) => expect(text).toBe(''),
    source: () => 'by hand',
    cast: () => expect.unreachable('it is packed'),
  })
  world.close()
  return world.db.filename
}

const indexes = (db: Database) =>
  db.query("select name, sql from sqlite_master where type = 'index' order by name").values()

test('a packed world has no index on one column: those are quickly created anew', async () => {
  const bytes = Bun.zstdDecompressSync(await Bun.file(packed).bytes())
  writeFileSync(at('plain.sqlite'), bytes)
  const db = new Database(at('plain.sqlite'), { readonly: true })
  const simple = indexes(db).filter(([, sql]) => /\(\w+\)/.test(String(sql)))
  expect([simple, indexes(db).length > 10]).toEqual([[], true])
  expect(Bun.file(cast).size).toBeGreaterThan(bytes.length)
  db.close()
})

test('unpacked it has the same rows, indexes and statistics, and no draft is left', async () => {
  const file = await unpacked(at('cache'))
  const [made, original] = [file, cast].map((name) => new Database(name, { readonly: true }))
  if (!made || !original) throw new Error('two databases')
  expect(rowDigests(made)).toEqual(rowDigests(original))
  expect(indexes(made)).toEqual(indexes(original))
  const statistics = 'select tbl, idx, stat from sqlite_stat1 order by tbl, idx'
  expect(made.query(statistics).values()).toEqual(original.query(statistics).values())
  const left = readdirSync(at('cache')).filter((name) => !/\.(sqlite|seal|lock)$/.test(name))
  expect(left).toEqual([])
})

test('the world of another casting is not in the folder', () => {
  expect(packedFile(at('packed'), 'world-0.sqlite')).toBeNull()
})
