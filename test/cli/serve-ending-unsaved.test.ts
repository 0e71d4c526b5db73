/** A server that ends when nothing can be stored: it reports that, and releases the file. */
import { expect, test } from 'bun:test'
import { end } from '../../src/server/commands/serve/ending.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'

test('a failure to store at the end is one line and code 1', async () => {
  const registry = await fakeRegistry()
  for (const { changes } of registry.list())
    Object.assign(changes, {
      commitProgress: () => {
        throw new Error('database or disk is full')
      },
    })
  const lines: string[] = []
  let isClosed = false
  const store = {
    close: () => {
      isClosed = true
    },
  }
  const log = (line: string) => lines.push(line)
  const how = { log, digest: false }
  const code = await end({ registry, store, app: null }, 'SIGTERM', how)
  expect([code, isClosed, registry.list()]).toEqual([1, true, []])
  expect(lines.slice(1)).toEqual([
    'clocks and counts could not be stored at shutdown: database or disk is full',
  ])
})
