/** The first minutes with the package: a test on an empty cache. */
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { shortTape } from '../fixtures/short-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { HAS_NODE, installedPackage, NODE, ran } from './installed-package.ts'

const at = temporaryFolder()

const FIRST_TEST = `
import { expect, test } from 'vitest'
import { createSandbox } from 'tapewright'

test('my first test', async () => {
  const sandbox = await createSandbox()
  expect((await sandbox.client().perpdex.tickers()).length).toBeGreaterThan(3)
  await sandbox.close()
})
`

describe.skipIf(!HAS_NODE)('the package with an empty cache (needs node and npm)', () => {
  test('the first test of vitest passes: its world is unpacked, and not cast', async () => {
    const { project, tool } = await installedPackage()
    const [folder, cache] = [path.join(project, 'first-test'), at('cache')]
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(cache)
    await Bun.write(path.join(folder, 'first.test.ts'), FIRST_TEST)
    const vitest = [NODE, tool('vitest/vitest.mjs'), 'run', '--root', folder, '--testTimeout=0']
    const { code, out, err } = await ran(vitest, { env: { TAPEWRIGHT_CACHE: cache } })
    expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
    expect(out + err).not.toContain('casting')
    const files = readdirSync(cache).filter((name) => /\.(sqlite|seal)$/.test(name))
    expect(files.filter((name) => name.startsWith('world-'))).toHaveLength(2)
    expect(files.filter((name) => statSync(path.join(cache, name)).size === 0)).toEqual([])
  })

  test('a world of another tape is cast, and the output of the test says so', async () => {
    const tape = at('short.tape.ndjson')
    await shortTape(tape)
    const { folder } = await installedPackage()
    const code = `import { createSandbox } from 'tapewright'
      const sandbox = await createSandbox()
      await sandbox.close()`
    const env = { TAPEWRIGHT_CACHE: at('cache'), TAPEWRIGHT_TAPE: tape }
    const run = await ran([NODE, '--input-type=module', '-e', code], { cwd: folder, env })
    expect([run.code, run.err]).toEqual([0, expect.stringContaining('casting the world of')])
  })

  test('a server whose test has ended finishes the unpacking of its world', async () => {
    const { folder } = await installedPackage()
    const program = [path.join(folder, 'lib/js/bin.cjs'), 'serve', '--port=0']
    const env = { TAPEWRIGHT_CACHE: at('unpacked') }
    const run = await ran([NODE, ...program, '--until-stdin-ends'], { env })
    expect([run.code, run.err]).toEqual([0, expect.stringContaining('standard input has ended')])
    expect(readdirSync(at('unpacked')).filter((name) => name.endsWith('.seal'))).toHaveLength(1)
  })
})
