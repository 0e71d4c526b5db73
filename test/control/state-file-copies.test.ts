/** State files that were copied, closed, killed or lost their log: complete, or refused. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { openStateFile } from '../../src/sandbox/state-file/state-file.ts'
import { ALERT, comparableState, stateFiles, storedRegistry } from '../fixtures/state-files.ts'

const { file, open, killed } = stateFiles()

/** An open file with a non-empty log. */
async function usedFile(name: string, alerts = 1) {
  const store = open(name)
  const registry = await storedRegistry(store)
  const sandbox = registry.get('default')
  for (let count = 0; count < alerts; count++)
    sandbox?.changes.keep(() => sandbox.alerts.forKey(`key ${count % 50}`).add(ALERT))
  return { store, registry }
}

const alertCount = async (name: string) =>
  (await storedRegistry(open(name))).get('default')?.alerts.list().length

const besides = (name: string) =>
  readdirSync(path.dirname(file(name))).filter((one) => one.startsWith(`${name}-`))

test('an ended server leaves one file, which can be copied', async () => {
  const { store, registry } = await usedFile('ended')
  registry.close()
  store.close()
  store.close()
  expect(besides('ended')).toEqual([])
  copyFileSync(file('ended'), file('copy'))
  expect(await alertCount('copy')).toBe(1)
})

test('a copy of an open or killed file without its log is refused, and with it whole', async () => {
  await usedFile('open')
  copyFileSync(file('open'), file('bare'))
  const bytes = readFileSync(file('bare'))
  for (let time = 0; time < 2; time++)
    expect(() => openStateFile(file('bare'))).toThrow(
      `the state file ${file('bare')} is not whole: it was copied from a running server, or from ` +
        `one that was killed, without ${file('bare-wal')}; end a server before its file is ` +
        'copied, or copy both',
    )
  expect(readFileSync(file('bare'))).toEqual(bytes)
  expect(besides('bare')).toEqual([])
  expect(await alertCount(killed('open', 'both'))).toBe(1)
})

test('it is refused after any number of transactions and checkpoints too', async () => {
  const { registry } = await usedFile('folded', 600)
  // More than one full log was written.
  expect(registry.storage?.commits).toBeGreaterThan(500)
  copyFileSync(file('folded'), file('folded-bare'))
  expect(() => openStateFile(file('folded-bare'))).toThrow('is not whole')
  expect(await alertCount(killed('folded', 'folded-both'))).toBe(600)
})

test('the log of another file is refused, and neither is touched', async () => {
  await usedFile('one')
  const { store } = await usedFile('other', 3)
  copyFileSync(file('one'), file('mixed'))
  copyFileSync(file('other-wal'), file('mixed-wal'))
  store.close()
  copyFileSync(file('other'), file('restored'))
  copyFileSync(file('one-wal'), file('restored-wal'))
  for (const name of ['mixed', 'restored']) {
    const bytes = [name, `${name}-wal`].map((one) => readFileSync(file(one)))
    expect(() => openStateFile(file(name))).toThrow('-wal belongs to another state file')
    expect([name, `${name}-wal`].map((one) => readFileSync(file(one)))).toEqual(bytes)
  }
})

test('a killed file that another program has read is still complete', async () => {
  await usedFile('looked', 4)
  const db = new Database(file(killed('looked', 'looked-into')))
  expect(db.query('select count(*) as count from part').get()).not.toBeNull()
  db.close()
  expect(existsSync(file('looked-into-wal'))).toBe(false)
  expect(await alertCount('looked-into')).toBe(4)
})

test('a log that is removed from a running server is written again', async () => {
  const { registry } = await usedFile('removed', 3)
  rmSync(file('removed-wal'))
  const sandbox = registry.get('default')
  sandbox?.changes.keep(() => sandbox.alerts.forKey('later').add(ALERT))
  expect(registry.storage).toMatchObject({ behind: false, failures: 0 })
  const again = await storedRegistry(open(killed('removed', 'removed-killed')))
  expect(comparableState(again.get('default'))).toEqual(comparableState(sandbox))
})
