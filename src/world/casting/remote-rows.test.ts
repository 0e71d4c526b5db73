import { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { handTape } from '../../../test/hand-tape.ts'
import { Complaint } from '../../complaint.ts'
import { TABLES } from '../schema/statements.ts'
import { cast } from './cast.ts'
import { RemoteRows } from './remote-rows.ts'
import { RowWriter } from './row-writer.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-rows-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a thread of its own writes the same rows', async () => {
  const file = path.join(folder, 'world.sqlite')
  const [here, there] = [new Database(':memory:'), new RemoteRows(file)]
  await cast(handTape(), '1', new RowWriter(here))
  await cast(handTape(), '1', there)
  there.close()
  const written = new Database(file, { readonly: true })
  for (const name of TABLES) {
    const all = (db: Database) => db.query(`select * from "${name}"`).values()
    expect(all(written)).toEqual(all(here))
  }
  const text = "select sql from sqlite_master where type = 'index' order by name"
  expect(written.query(text).values()).toEqual(here.query(text).values())
})

test('what the thread cannot do is a complaint, not silence', async () => {
  const rows = new RemoteRows(path.join(folder, 'nowhere', 'world.sqlite'))
  const failed = await cast(handTape(), '1', rows).catch((error) => error)
  rows.close()
  expect(failed).toBeInstanceOf(Complaint)
  expect(failed.message).toContain('cannot write the world (unable to open database file)')
})
