/** The examples, run from the packed package by the test runners that they are for. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { chromiumPath } from '../../scripts/chromium.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { castWorlds } from './cast-worlds.ts'
import {
  HAS_NODE,
  type InstalledPackage,
  installedPackage,
  NODE,
  NPM,
  ran,
} from './installed-package.ts'

const EXAMPLES = path.join(PROJECT_FOLDER, 'examples')

/**
 * The output of each when its tests have passed, and the words for its runner that end its limit of
 * five seconds: how long a test takes is the machine's matter.
 */
const RUN_HERE = [
  ['bun-test', '2 pass', ['--timeout', '600000']],
  ['vitest', '2 passed', ['--testTimeout', '600000']],
  ['jest', '2 passed', ['--testTimeout', '600000']],
  ['node-test', 'pass 2', []],
  ['naive-client', '3 pass', ['--timeout', '600000']],
  ['order-book', '5 passed', []],
] as const

/** By tests of their own: with each of the versions of msw, and in a browser. */
const RUN_ELSEWHERE = ['msw', 'static-page']

describe.skipIf(!HAS_NODE)('from the package (needs node and npm)', () => {
  let installed: InstalledPackage
  beforeAll(async () => {
    installed = await installedPackage()
  })

  test('every example is run, here or by a test of its own', () => {
    const folders = [...new Bun.Glob('*/package.json').scanSync({ cwd: EXAMPLES })].map(
      path.dirname,
    )
    expect(folders.sort()).toEqual([...RUN_HERE.map(([name]) => name), ...RUN_ELSEWHERE].sort())
  })

  test.each(RUN_HERE)('the example of %s passes', async (name, says, patience) => {
    const folder = path.join(installed.project, 'examples', name)
    rmSync(folder, { recursive: true, force: true })
    cpSync(path.join(EXAMPLES, name), folder, { recursive: true })
    const env = {
      TAPEWRIGHT_CACHE: await castWorlds(),
      CHROMIUM_PATH: chromiumPath() ?? undefined,
      PORT: String(await freePort()),
    }
    const { code, out, err } = await ran([NPM, 'test', '--', ...patience], { cwd: folder, env })
    expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
    expect(out + err).toContain(says)
  })

  test('the report of a failed Playwright test says why requests were refused', async () => {
    const folder = path.join(installed.project, 'examples', 'failing')
    rmSync(folder, { recursive: true, force: true })
    await Bun.write(path.join(folder, 'failing.spec.js'), FAILING_SPEC)
    const words = ['test', '--reporter=json', '--timeout=0', '--output', path.join(folder, 'out')]
    const env = { TAPEWRIGHT_CACHE: await castWorlds() }
    const command = [NODE, installed.tool('@playwright/test/cli.js'), ...words]
    const { code, out } = await ran(command, { cwd: folder, env })
    expect(code).toBe(1)
    const { attachments, error } = JSON.parse(out).suites[0].specs[0].tests[0].results[0]
    const textOf = (named: string) =>
      Buffer.from(
        attachments.find(({ name }: { name: string }) => name === named)?.body ?? '',
        'base64',
      ).toString()
    expect(JSON.parse(textOf('sandbox journal')).entries).toHaveLength(1)
    const lines = ['/api/upgrade/v2/hl/tickers -> 403', 'what to do: use a key that has it']
    for (const line of lines) expect(textOf('refused requests')).toContain(line)
    expect(error.message).toContain('what to do: use a key that has it')
  })
})

const FAILING_SPEC = `
import { test } from 'tapewright/playwright'

test('a key without permissions', async ({ sandbox }) => {
  await sandbox.client('bare').perpdex.tickers()
})
`

/** A free port. */
async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port ?? 0
}
