import { afterAll, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { openTape } from '../../src/tape/tape-reader.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { readTape } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const service = Bun.serve({
  port: 0,
  fetch: (request) => new Response(new URL(request.url).search),
})
afterAll(() => service.stop(true))

const upstream = `http://127.0.0.1:${service.port}`

/** The program in front of the service; its standard output is read line by line. */
async function recording(out: string, env: Record<string, string> = {}) {
  const words = ['record', '--upstream', upstream, '--out', out, '--port', '0']
  const process_ = Bun.spawn([...PROGRAM, ...words], {
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  let line = ''
  for await (const bytes of process_.stdout) {
    line += new TextDecoder().decode(bytes)
    if (line.includes('\n')) break
  }
  const [, origin = ''] = /^tapewright recording (\S+) -> /.exec(line) ?? []
  return { program: process_, line, origin }
}

test('record prints when it is ready, and ends in an orderly way with its counts', async () => {
  const out = at('session.tape.ndjson.zst')
  const env = { TAPEWRIGHT_RECORD_SIGN_WITH: 'env-access-key:env-secret-key' }
  const { program, line, origin } = await recording(out, env)
  expect(line).toBe(`tapewright recording ${origin} -> ${upstream} into ${out}\n`)
  expect(await (await fetch(`${origin}/a?x=1`)).text()).toContain('AccessKeyId=env-access-key')
  program.kill('SIGINT')
  expect(await program.exited).toBe(0)
  expect(await new Response(program.stderr).text()).toBe('tapewright: SIGINT: 1 events in 1 file\n')
  const [event] = await readTape(out)
  expect((await openTape(out)).header.open).toBeUndefined()
  expect(JSON.stringify(event)).not.toContain('env-access-key')
  expect(event?.data).toMatchObject({ method: 'GET', status: 200 })
})

test('a recording can be read after a kill', async () => {
  const out = at('killed.tape.ndjson')
  const { program, origin } = await recording(out)
  await (await fetch(`${origin}/a`)).text()
  while (!existsSync(out) || !readFileSync(out, 'utf8').includes('"seq":1,')) await Bun.sleep(10)
  program.kill('SIGKILL')
  await program.exited
  expect((await openTape(out)).header).toMatchObject({ open: true, counts: { exchange: 1 } })
  expect(await readTape(out)).toHaveLength(1)
})

test('a start that fails leaves no file, and prints the reason', async () => {
  const out = at('none.tape.ndjson')
  const tries = [
    ['--upstream', upstream, '--port', String(service.port)],
    ['--upstream', 'http://:secret@127.0.0.1'],
    ['--upstream', upstream, '--redact', ''],
  ]
  const output = tries.map((words) => {
    const { stderr, exitCode } = Bun.spawnSync([...PROGRAM, 'record', '--out', out, ...words])
    expect([exitCode, existsSync(out)]).toEqual([1, false])
    return stderr.toString().replace(String(service.port), 'PORT')
  })
  expect(output).toEqual([
    'tapewright: cannot listen on 127.0.0.1:PORT: the port is taken: use --port 0 for any free ' +
      'one, or end what listens there\n',
    'tapewright: --upstream takes no user, query or fragment: keys go with the requests\n',
    'tapewright: --redact must name a field, not ""\n',
  ])
})
