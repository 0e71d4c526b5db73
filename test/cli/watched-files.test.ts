/** Files that a server uses: a change takes effect, or the log says why it does not. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { type Control, control } from '../../src/clients/control/control.ts'
import { pause } from '../fixtures/pause.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { listeningAt, type ServeProcess } from '../fixtures/serve-process.ts'
import { shortTapeCast } from '../fixtures/short-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const tape = at('short.tape.ndjson')
let server: ServeProcess
let calls: Control
let [origin, logged] = ['', '']

const scenario = (title: string, ms: number) =>
  `title: ${title}\nrules:\n  - do: { delay: { ms: ${ms} } }\n`
const settings = (fields: object) => JSON.stringify({ serve: { tape, ...fields } })

beforeAll(async () => {
  await shortTapeCast(tape, at('cache'))
  mkdirSync(at('stories'))
  writeFileSync(at('mine.yaml'), scenario('First', 1))
  writeFileSync(at('other.yaml'), scenario('Other', 1))
  writeFileSync(at('tapewright.config.json'), settings({ speed: 1 }))
  const words = ['serve', '--port=0', '--scenario=mine.yaml', '--stories=stories']
  server = Bun.spawn([...PROGRAM, ...words], {
    cwd: at('.'),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, TAPEWRIGHT_CACHE: at('cache') },
  })
  void (async () => {
    for await (const text of server.stderr.pipeThrough(new TextDecoderStream())) logged += text
  })()
  origin = await listeningAt(server)
  calls = control(origin)
})
afterAll(() => server.kill())

/** Changes a file as editors do. */
function save(name: string, text: string): void {
  writeFileSync(at('draft'), text)
  renameSync(at('draft'), at(name))
}

async function said(text: string): Promise<void> {
  while (!logged.includes(text)) await pause()
}

const titles = async () =>
  (await calls.sandbox('default').scenario.get()).scenarios.map(({ title }) => title)

test('a changed scenario is on anew, in its place among the others', async () => {
  await calls
    .sandbox('default')
    .scenario.add({ title: 'Later', rules: [{ do: { delay: { ms: 5 } } }] })
  save('mine.yaml', scenario('Second', 2))
  await said('scenario mine is on anew in default')
  expect(await titles()).toEqual(['Second', 'Later'])
  await calls.sandboxes.create({ name: 'new' })
  const { scenarios } = await calls.sandbox('new').scenario.get()
  expect(scenarios.map(({ title }) => title)).toEqual(['Second'])
})

test('an invalid one stays off, and the log says why', async () => {
  writeFileSync(at('mine.yaml'), 'title: Third\nrules:\n  - do: { delay: { seconds: 1 } }\n')
  await said('mine.yaml has changed and is not used: ')
  expect(logged).toMatch(/not used: .*mine\.yaml.*seconds.*; what was read before stays/)
  expect(await titles()).toEqual(['Second', 'Later'])
  save('mine.yaml', scenario('Fourth', 4))
  while ((await titles())[0] !== 'Fourth') await pause()
})

test('a story of the folder is checked when it changes', async () => {
  save('stories/tour.yaml', 'title: 1\n')
  await said('tour.yaml has changed and is not used: ')
})

test('settings take effect, or the log says when they will', async () => {
  save('tapewright.config.json', settings({ speed: 7, maxSockets: 5 }))
  await said('maxSockets takes effect when the server is started again')
  expect(logged).toContain('speed is in force in the sandbox default')
  expect((await calls.sandbox('default').get()).playhead.speed).toBe(7)
  save('tapewright.config.json', settings({ speeed: 7 }))
  await said('did you mean serve.speed?')
  expect((await calls.sandbox('default').get()).playhead.speed).toBe(7)
})
