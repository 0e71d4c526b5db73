/** A test generated from a stretch of traffic, run by Playwright from the packed package. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { testOfEntries } from '../../src/pages/console/journal/test-of-entries.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { ROLES, recordedEntries } from '../fixtures/recorded-entries.ts'
import { serveRegistry } from '../fixtures/test-server.ts'
import { castWorlds } from './cast-worlds.ts'
import { HAS_NODE, installedPackage, NODE, ran } from './installed-package.ts'

describe.skipIf(!HAS_NODE)('from the package (needs node and npm)', () => {
  test('a stretch becomes a Playwright test that passes, with refusals and pushes', async () => {
    const { project, tool } = await installedPackage()
    const { registry } = await recordedRegistry({}, hostClock)
    const entries = await recordedEntries((await serveRegistry(registry)).origin)
    const origin = { roles: ROLES, scenarios: [], span: { startMs: 0, stopMs: 0 } }
    const written = testOfEntries('playwright', entries, origin) ?? ''
    expect(written).toContain('status: 403, code: ')
    const folder = path.join(project, 'made-test')
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    const run = async (text: string) => {
      writeFileSync(path.join(folder, 'made.spec.ts'), text)
      const command = [NODE, path.join(tool('@playwright/test'), 'cli.js'), 'test', '--timeout=0']
      return ran(command, { cwd: folder, env: { TAPEWRIGHT_CACHE: await castWorlds() } })
    }
    const { code, out, err } = await run(written)
    expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
    expect(out).toContain('1 passed')
    expect((await run(written.replace('status: 403', 'status: 200'))).code).toBe(1)
  })
})
