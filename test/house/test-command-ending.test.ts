/** A signal to the test command ends all processes of its tests. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-ending-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each process of the suite holds it open while it runs. */
const HELD = path.join(folder, 'held')

/** A shell that holds the pipe, reports it, and never ends by itself. */
const holding = (name: string) => `exec 3>"${HELD}"; echo ${name} >&3; sleep 100000`

/** Starts one process in each way: as a child, by a program, by one that ends, in a session. */
const SUITE = `
const holding = ${holding.toString()}
const HELD = ${JSON.stringify(HELD)}
const start = (command, options) => Bun.spawn(command, options)
if (process.argv[2] === 'program') {
  start(['sh', '-c', holding('grandchild')])
  await new Promise(() => setInterval(() => {}, 1e6))
}
require('bun:test').test('never ends', () => {
  start(['sh', '-c', holding('child')])
  start([process.execPath, import.meta.path, 'program'])
  start(['sh', '-c', '(' + holding('orphan') + ') & exit 0'])
  start(['sh', '-c', holding('session')], { detached: true })
  return new Promise(() => {})
})
`

test.skipIf(Bun.which('mkfifo') === null).each(['SIGINT', 'SIGTERM'] as const)(
  '%s to the test command alone ends every process that its tests started (needs mkfifo)',
  async (signal) => {
    const file = path.join(folder, `${signal}.test.ts`)
    await Bun.write(file, SUITE)
    Bun.spawnSync(['mkfifo', HELD])
    const command = Bun.spawn([process.execPath, 'run', 'test', file], {
      cwd: PROJECT_FOLDER,
      stdout: 'ignore',
      stderr: 'ignore',
    })
    const started = new Set<string>()
    // Read to its end, which comes when no process holds it any more.
    const reader = Bun.spawn(['cat', HELD])
    void command.exited.then(() => {
      if (started.size < 4) reader.kill()
    })
    let text = ''
    for await (const bytes of reader.stdout) {
      text += new TextDecoder().decode(bytes)
      for (const name of text.split('\n').filter(Boolean)) started.add(name)
      if (started.size === 4) command.kill(signal)
    }
    rmSync(HELD)
    expect([...started].sort()).toEqual(['child', 'grandchild', 'orphan', 'session'])
    expect(await command.exited).not.toBe(0)
  },
)
