/** Fifty test files of vitest at one server: each has its own sandbox. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { MACHINE_ENVIRONMENT } from '../fixtures/machine-node.ts'
import { listeningAt, type ServeProcess } from '../fixtures/serve-process.ts'
import { castWorlds } from './cast-worlds.ts'
import {
  HAS_NODE,
  type InstalledPackage,
  installedPackage,
  NODE,
  ran,
} from './installed-package.ts'

const FILES = 50

/** An effect of another file on this one's clock, scenario, market or journal shows here. */
const testFile = (n: number) => `
import { expect, test } from 'vitest'
import { createSandbox } from 'tapewright'

test('sandbox ${n} is alone', async () => {
  await using sandbox = await createSandbox({ name: 'file-${n}', clock: 'held' })
  const service = sandbox.client()
  const before = await sandbox.clock.now()
  const prices = await service.perpdex.tickers()
  for (let step = 0; step < 5; step++) await sandbox.clock.advance(${n * 100})
  expect((await sandbox.clock.now()) - before).toBe(${n * 500})
  await sandbox.control.playhead.set({ at: 0, speed: 0 })
  const there = await service.perpdex.tickers()
  await sandbox.clock.advance(60_000)
  expect(await service.perpdex.tickers()).toEqual(there)
  if (${n % 2 === 1}) await sandbox.control.scenario.set({ name: 'maintenance' })
  await sandbox.clock.advance(15_000)
  const tickers = service.perpdex.tickers()
  if (${n % 2 === 1}) await expect(tickers).rejects.toThrow()
  else expect(await tickers).toHaveLength(prices.length)
  const { count } = await sandbox.control.journal.count({ operation: 'perpdex.tickers' })
  expect(count).toBe(4)
})
`

describe.skipIf(!HAS_NODE)('one server of the package (needs node and npm)', () => {
  let installed: InstalledPackage
  let server: ServeProcess | undefined
  // Not by SIGKILL, which Node could not pass on.
  afterAll(async () => {
    server?.kill('SIGTERM')
    await server?.exited
  })
  beforeAll(async () => {
    installed = await installedPackage()
  })

  test(`${FILES} files of vitest do not affect one another`, async () => {
    const folder = path.join(installed.project, 'parallel-files')
    rmSync(folder, { recursive: true, force: true })
    for (let n = 1; n <= FILES; n++)
      await Bun.write(path.join(folder, `sandbox-${n}.test.ts`), testFile(n))
    server = Bun.spawn([NODE, path.join(installed.folder, 'lib/js/bin.cjs'), 'serve', '--port=0'], {
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...MACHINE_ENVIRONMENT, TAPEWRIGHT_CACHE: await castWorlds() },
    })
    const origin = await listeningAt(server)
    const vitest = [NODE, installed.tool('vitest/vitest.mjs'), 'run', '--root', folder]
    // Threads that are kept: ten files at a time, without a process for each.
    const options = ['--pool=threads', '--no-isolate', '--maxWorkers=10', '--testTimeout=300000']
    const { code, out, err } = await ran([...vitest, ...options], {
      env: { TAPEWRIGHT_URL: origin },
    })
    expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
    expect(out).toMatch(new RegExp(`Tests +${FILES} passed`))
    const left = await (await fetch(`${origin}/_control/sandboxes`)).json()
    expect(left).toHaveLength(1)
  })
})
