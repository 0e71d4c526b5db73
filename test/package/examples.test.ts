/** The examples, run from the packed package by the test runners that they are for. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { chromiumPath } from '../../scripts/chromium.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { castWorlds } from './cast-worlds.ts'
import { HAS_NODE, type InstalledPackage, installedPackage, NPM, ran } from './installed-package.ts'

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
})

/** A free port. */
async function freePort(): Promise<number> {
  const server = Bun.serve({ port: 0, fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return port ?? 0
}
