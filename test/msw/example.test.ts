/** The example is run unchanged, on the newest Node with the newest msw. */
import { expect, test } from 'bun:test'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { castWorlds } from '../package/cast-worlds.ts'
import { HAS_NODE, installedPackage, ran } from '../package/installed-package.ts'
import { executableOf, hasRuntimes, linkMsw } from './runtimes.ts'

const EXAMPLE = path.join(PROJECT_FOLDER, 'examples', 'msw')

test.skipIf(!hasRuntimes || !HAS_NODE)(
  'the example passes from the packed package, with a bridged sandbox',
  async () => {
    const { project } = await installedPackage()
    const place = path.join(project, 'examples', 'msw')
    cpSync(EXAMPLE, place, { recursive: true })
    // The package resolves msw beside itself, where npm would have put it.
    rmSync(path.join(project, 'node_modules', 'msw'), { force: true })
    const msw = await linkMsw(project, 'msw-3')
    const { devDependencies } = await Bun.file(path.join(EXAMPLE, 'package.json')).json()
    expect(devDependencies.msw).toBe(msw)
    const env = { TAPEWRIGHT_CACHE: await castWorlds() }
    const { code, out, err } = await ran([...executableOf('node-26'), '--test'], {
      cwd: place,
      env,
    })
    expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
    expect(out).toContain('pass 3')
  },
)

test('the handlers for a browser contain nothing of Node or Bun', async () => {
  const built = await Bun.build({
    entrypoints: [path.join(PROJECT_FOLDER, 'src', 'server', 'transport', 'msw', 'index.ts')],
    target: 'browser',
    external: ['msw', 'node:*', 'bun:*'],
  })
  const code = await built.outputs[0]?.text()
  expect(code).toContain('forwardingHandler')
  expect(code?.match(/from ?"(?:node|bun)[^"]*"|\bBun\.|\bprocess\.|\bBuffer\./g) ?? []).toEqual([])
})
