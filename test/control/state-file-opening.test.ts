/** Accepted and refused state files. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import {
  copyFileSync,
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { openStateFile } from '../../src/sandbox/state-file/state-file.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { ALERT, comparableState, stateFiles, storedRegistry } from '../fixtures/state-files.ts'

const MIGRATIONS = path.join(PROJECT_FOLDER, 'src/sandbox/state-file/migrations')
const { file, open, killed } = stateFiles()

/** A folder of migrations with fewer or more than there are. */
function migrations(name: string, change: (entries: object[]) => object[]): string {
  const folder = file(name)
  cpSync(MIGRATIONS, folder, { recursive: true })
  const journal = path.join(folder, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'))
  Bun.write(journal, JSON.stringify({ ...rest, entries: change(entries) }))
  return folder
}

test('an older state file is migrated', async () => {
  const old = openStateFile(file('old'))
  const sandbox = (await storedRegistry(open('any'))).get('default') as Sandbox
  sandbox.alerts.forKey('x').add(ALERT)
  old.add(sandbox, 0)
  old.close()
  const db = new Database(file('old'))
  db.exec('drop table note')
  const newest = 'select max(created_at) from __drizzle_migrations'
  db.exec(`delete from __drizzle_migrations where created_at = (${newest})`)
  db.close()
  const again = await storedRegistry(open('old'))
  expect(comparableState(again.get('default'))).toEqual(comparableState(sandbox))
  expect((await again.create()).id).toBe('s1')
})

test('a foreign file is refused in a line, and stays unchanged', async () => {
  const later = { tag: '0001_notes', idx: 2, when: 9_000_000_000_000, breakpoints: true }
  const more = migrations('more', (entries) => [...entries, later])
  Bun.write(path.join(more, '0002_later.sql'), 'create table later (id)')
  await Bun.write(path.join(more, 'meta/_journal.json'), newerJournal(more))
  openStateFile(file('newer'), more).close()
  const foreign = new Database(file('foreign'))
  foreign.exec('create table things (id)')
  foreign.close()
  await Bun.write(
    file('text'),
    'no database at all, but long enough to be looked at as one. '.repeat(90),
  )
  mkdirSync(file('folder'))
  const intact = open('intact')
  await storedRegistry(intact)
  const bytes = readFileSync(file('newer'))
  const cases: [string, string][] = [
    ['newer', 'was written by a newer version of this program'],
    ['foreign', 'is a database of another program'],
    ['text', 'is damaged (it is not a database)'],
    ['folder', 'is not a file'],
    ['nowhere/state', 'cannot be written'],
    ['intact', 'is in use by another server'],
  ]
  for (const [name, words] of cases) expect(() => openStateFile(file(name))).toThrow(words)
  expect(readFileSync(file('newer'))).toEqual(bytes)
  expect(readdirSync(file('folder'))).toEqual([])
})

test('a file with an invalid header is damaged, too', () => {
  open('head').close()
  const bytes = readFileSync(file('head'))
  // The format number of the schema in the header.
  bytes.writeUInt32BE(99, 44)
  writeFileSync(file('head'), bytes)
  expect(() => openStateFile(file('head'))).toThrow('is damaged (unsupported file format)')
})

function newerJournal(folder: string): string {
  const journal = JSON.parse(readFileSync(path.join(folder, 'meta/_journal.json'), 'utf8'))
  journal.entries.at(-1).tag = '0002_later'
  return JSON.stringify(journal)
}

test('a file with unreadable parts, or of another world, is refused with the sandbox', async () => {
  await storedRegistry(open('parts'))
  const broken = file(killed('parts', 'broken'))
  openStateFile(broken).close()
  const db = new Database(broken)
  db.exec(`update part set value = '{"accessKey":1}' where kind = 'key' and id = 'demo'`)
  db.close()
  await expect(storedRegistry(open('broken'))).rejects.toThrow(
    'sandbox "default": the snapshot is broken',
  )
  const elsewhere = new Database(file(killed('parts', 'elsewhere')))
  elsewhere.exec(`update sandbox set world = 'other/1'`)
  elsewhere.close()
  await expect(storedRegistry(open('elsewhere'))).rejects.toThrow(
    'sandbox "default" of the state file is of world other/1',
  )
})

test('parts of an older version are refused, and the file stays unchanged', async () => {
  await storedRegistry(open('versions'))
  const older = file(killed('versions', 'older'))
  const db = new Database(older)
  db.exec('update sandbox set version = 1')
  db.close()
  await expect(storedRegistry(open('older'))).rejects.toThrow(
    'cannot be read: sandbox "default": version of the snapshot must be 2',
  )
  const again = new Database(file(killed('older', 'again')))
  expect(again.query('select version from sandbox').get()).toEqual({ version: 1 })
  again.close()
})

test('a symbolic link leads to the file, its log and its lock', async () => {
  mkdirSync(file('real'))
  symlinkSync(file('real/state.sqlite'), file('link.sqlite'))
  const store = openStateFile(file('link.sqlite'))
  const registry = await storedRegistry(store)
  const sandbox = registry.get('default')
  sandbox?.changes.keep(() => sandbox.alerts.forKey('key').add(ALERT))
  expect(readdirSync(file('real')).sort()).toEqual(['state.sqlite', 'state.sqlite-wal'])
  expect(() => openStateFile(file('link.sqlite'))).toThrow('is in use by another server')
  expect(() => openStateFile(file('real/state.sqlite'))).toThrow('is in use by another server')
  // As a killed process leaves it.
  mkdirSync(file('after'))
  for (const name of readdirSync(file('real')))
    copyFileSync(file(`real/${name}`), file(`after/${name}`))
  symlinkSync(file('after/state.sqlite'), file('after.sqlite'))
  const after = openStateFile(file('after.sqlite'))
  expect((await storedRegistry(after)).get('default')?.alerts.list()).toHaveLength(1)
  after.close()
  registry.close()
  store.close()
})

test('a link that is changed to another file counts as a missing file', async () => {
  symlinkSync(file('first.sqlite'), file('moved.sqlite'))
  const store = openStateFile(file('moved.sqlite'))
  const registry = await storedRegistry(store)
  const sandbox = registry.get('default')
  copyFileSync(file('first.sqlite'), file('second.sqlite'))
  rmSync(file('moved.sqlite'))
  symlinkSync(file('second.sqlite'), file('moved.sqlite'))
  expect(() => sandbox?.changes.keep(() => sandbox.alerts.forKey('key').add(ALERT))).toThrow(
    'nothing was changed',
  )
  registry.close()
  store.close()
})

test('a file with several names is refused, unless its log lies beside it', async () => {
  const store = openStateFile(file('hard.sqlite'))
  const registry = await storedRegistry(store)
  linkSync(file('hard.sqlite'), file('other.sqlite'))
  const message = `the state file ${file('other.sqlite')} has 2 names (hard links)`
  expect(() => openStateFile(file('other.sqlite'))).toThrow(message)
  registry.close()
  store.close()
  expect(() => openStateFile(file('hard.sqlite'))).toThrow('has 2 names')
  rmSync(file('other.sqlite'))
  openStateFile(file('hard.sqlite')).close()
})

test('adding a key takes little of the log', async () => {
  const store = openStateFile(file('small-log'))
  const registry = await storedRegistry(store)
  const logBytes = () => statSync(file('small-log-wal')).size
  const before = logBytes()
  const ask = controlCaller(registry)
  for (let n = 0; n < 20; n++)
    await ask('key.create', { params: { id: 'default' }, body: { kind: 'direct' } })
  expect((logBytes() - before) / 20).toBeLessThan(6_000)
  registry.close()
  store.close()
})
