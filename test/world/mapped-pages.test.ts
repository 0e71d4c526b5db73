import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { releaseMappedPages } from '../../src/market/world/database.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-database-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Reads all bytes. */
const ONES = "select sum(instr(content, x'01')) as ones from piece"

/** Kilobytes of a file's mapping that are in memory. */
function mappedKb(file: string): number {
  const parts = readFileSync('/proc/self/smaps', 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
  return parts
    .filter((part) => part.includes(file))
    .reduce((sum, part) => sum + Number(/^Rss:\s+(\d+)/m.exec(part)?.[1]), 0)
}

test.skipIf(process.platform !== 'linux')('released pages are read again when needed', () => {
  const file = path.join(folder, 'pieces.sqlite')
  const made = new Database(file)
  made.exec('begin; create table piece (id integer primary key, content blob)')
  const insert = made.prepare('insert into piece (content) values (?)')
  for (let at = 0; at < 500; at++) insert.run(new Uint8Array(10_000))
  made.exec('commit')
  insert.finalize()
  made.close()
  const db = new Database(file, { readonly: true })
  db.exec(`pragma mmap_size = ${64 << 20}`)
  expect(db.query<{ ones: number }, []>(ONES).get()).toEqual({ ones: 0 })
  expect(mappedKb(file)).toBeGreaterThan(1000)
  releaseMappedPages(db)
  expect(mappedKb(file)).toBeLessThan(500)
  expect(db.query<{ ones: number }, []>(ONES).get()).toEqual({ ones: 0 })
  expect(mappedKb(file)).toBeGreaterThan(1000)
  db.close()
})

test('a database without a mapping stays as it is', () => {
  const db = new Database(':memory:')
  releaseMappedPages(db)
  expect(db.query<{ one: number }, []>('select 1 as one').get()).toEqual({ one: 1 })
})
