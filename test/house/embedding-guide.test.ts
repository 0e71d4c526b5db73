/** The examples of the guide to sandboxes are run as they stand. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const guide = await Bun.file(path.join(PROJECT_FOLDER, 'docs/embedding.md')).text()
const examples = [...guide.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code)
const file = temporaryFolder()

const said = [
  'BTC\n',
  null,
  '[ "stale-book" ]\ntimeout 408 not within 10 ms: connections are 0\n',
  'request perpdex.tickers\n',
]

const inCheckout = (code: string) =>
  code
    .replaceAll("'tapewright'", `'${path.join(PROJECT_FOLDER, 'src/index.ts')}'`)
    .replaceAll("'tapewright/control'", `'${path.join(PROJECT_FOLDER, 'src/entries/control.ts')}'`)

test.each(examples.map((code, n) => [said[n] ?? 'tests', code, n] as const))(
  'an example says %j',
  async (_, code, n) => {
    const isTests = code.includes("from 'bun:test'")
    const program = file(isTests ? `example-${n}.test.ts` : `example-${n}.ts`)
    await Bun.write(program, inCheckout(code))
    const command = [process.execPath, ...(isTests ? ['test'] : []), program]
    const run = Bun.spawn(command, { cwd: path.dirname(program), stdout: 'pipe', stderr: 'pipe' })
    const [output, errors] = await Promise.all([run.stdout.text(), run.stderr.text()])
    if (isTests) expect(errors).toMatch(/^ 2 pass\n 0 fail$/m)
    else expect([output, errors]).toEqual([said[n] ?? '', ''])
  },
)

test('there is an example for each thing said', () => {
  expect(examples).toHaveLength(said.length)
})
