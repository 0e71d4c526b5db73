/** The examples of the client's guide are run as they stand, against a server. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { serve } from '../fixtures/test-server.ts'

const guide = await Bun.file(path.join(PROJECT_FOLDER, 'docs/client.md')).text()
const examples = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
const said = ['BTC\n', 'permission HL_TICKERS\n', 'BTC false\n']

test.each(examples.map((code, n) => [said[n], code]))('an example says %j', async (right, code) => {
  // The examples are programs of their own, which sign by the machine.
  const { origin } = await serve({}, null, hostClock)
  const here = code
    ?.replaceAll('http://127.0.0.1:4010', origin)
    .replaceAll("'tapewright/client'", `'${path.join(PROJECT_FOLDER, 'src/entries/client.ts')}'`)
  const run = Bun.spawn([process.execPath, '-e', here ?? ''], { stdout: 'pipe', stderr: 'pipe' })
  expect([await run.stdout.text(), await run.stderr.text()]).toEqual([right ?? '', ''])
})

test('there is an example for each thing said', () => {
  expect(examples).toHaveLength(said.length)
})
