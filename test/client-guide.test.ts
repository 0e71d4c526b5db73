/** The examples of the client's guide are run as they stand, against a server. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { machine } from '../src/clock/machine.ts'
import { serve } from './toy-server.ts'

const ROOT = path.join(import.meta.dir, '..')
const guide = await Bun.file(path.join(ROOT, 'docs/client.md')).text()
const examples = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
const said = ['BTC\n', 'permission HL_TICKERS\n', 'BTC false\n']

test.each(examples.map((code, n) => [said[n], code]))('an example says %j', async (right, code) => {
  // The examples are programs of their own, which sign by the machine.
  const { origin } = await serve({}, null, machine)
  const here = code
    ?.replaceAll('http://127.0.0.1:4010', origin)
    .replaceAll("'tapewright'", `'${path.join(ROOT, 'src/index.ts')}'`)
  const run = Bun.spawn([process.execPath, '-e', here ?? ''], { stdout: 'pipe', stderr: 'pipe' })
  expect([await run.stdout.text(), await run.stderr.text()]).toEqual([right ?? '', ''])
})

test('there is an example for each thing said', () => {
  expect(examples).toHaveLength(said.length)
})
