/** The example is run as it stands, on the newest Node with the newest msw. */
import { expect, test } from 'bun:test'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'
import { executableOf, hasRuntimes, linkMsw } from './runtimes.ts'

const EXAMPLE = path.join(PROJECT_FOLDER, 'examples', 'msw')
const folder = temporaryFolder()

/** The package as far as the example needs it: a sandbox of a server that runs already. */
const createSandbox = (origin: string) => `
  export async function createSandbox() {
    const control = '${origin}/_control/sandboxes'
    const made = await (await fetch(control, { method: 'POST', body: '{}' })).json()
    const close = () => fetch(control + '/' + made.id, { method: 'DELETE' })
    return { ...made, close }
  }`

test.skipIf(!hasRuntimes)('the example passes, with a sandbox that is bridged', async () => {
  const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
  const { origin } = await serveRegistry(registry)
  const place = folder('example')
  cpSync(EXAMPLE, place, { recursive: true })
  const msw = await linkMsw(place, 'msw-3')
  const own = path.join(place, 'node_modules', 'tapewright')
  await Bun.build({
    entrypoints: [path.join(PROJECT_FOLDER, 'src', 'transport', 'msw', 'index.ts')],
    outdir: own,
    naming: 'msw.js',
    target: 'node',
    external: ['msw'],
  })
  await Bun.write(path.join(own, 'index.js'), createSandbox(origin))
  const exports = { '.': './index.js', './msw': './msw.js' }
  const manifest = { name: 'tapewright', type: 'module', exports }
  await Bun.write(path.join(own, 'package.json'), JSON.stringify(manifest))
  const { devDependencies } = await Bun.file(path.join(EXAMPLE, 'package.json')).json()
  expect(devDependencies.msw).toBe(msw)
  const node = [...executableOf('node-26'), '--test']
  const ran = Bun.spawn(node, { cwd: place, stdout: 'pipe', stderr: 'pipe' })
  const [out] = [await new Response(ran.stdout).text(), await new Response(ran.stderr).text()]
  expect([await ran.exited, out]).toEqual([0, expect.stringContaining('pass 3')])
})

test('what a browser would load of the handlers has nothing of Node or Bun in it', async () => {
  const built = await Bun.build({
    entrypoints: [path.join(PROJECT_FOLDER, 'src', 'transport', 'msw', 'index.ts')],
    target: 'browser',
    external: ['msw', 'node:*', 'bun:*'],
  })
  const code = await built.outputs[0]?.text()
  expect(code).toContain('forwardingHandler')
  expect(code?.match(/from ?"(?:node|bun)[^"]*"|\bBun\.|\bprocess\.|\bBuffer\./g) ?? []).toEqual([])
})
