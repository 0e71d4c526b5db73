/** `tapewright serve` as a process: its output, and its errors. */
import { beforeAll, expect, test } from 'bun:test'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { pause } from '../fixtures/pause.ts'
import { listeningAt, serveProcesses } from '../fixtures/serve-process.ts'
import { shortTape } from '../fixtures/short-tape.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const file = temporaryFolder()
const cache = file('cache')

/** A tape of two minutes: quickly cast. */
const tape = file('short.tape.ndjson')
beforeAll(() => shortTape(tape))

const start = serveProcesses(cache)

async function refused(args: string[], env: Record<string, string> = {}) {
  const child = start(args, env)
  const err = await new Response(child.stderr).text()
  return { code: await child.exited, err }
}

test('it listens, answers the demo key, and casts once', async () => {
  const first = start(['--tape', tape])
  const origin = await listeningAt(first)
  const signature = signedQuery({ accessKey: 'demo' }, hostClock)
  const answer = await fetch(`${origin}/api/upgrade/v2/hl/tickers?${signature}`)
  expect(answer.status).toBe(200)
  first.kill()
  const output = await new Response(first.stderr).text()
  expect(output).toContain('casting the world')
  expect(output).toContain(`${origin} has its pages already; requests get 503 until the market is`)
  const second = start(['--tape', tape])
  await listeningAt(second)
  second.kill('SIGKILL')
  expect(await new Response(second.stderr).text()).toBe('')
})

test('a damaged cached world is cast again, and that is logged', async () => {
  // The growth beyond the tape may have been written, too, or not yet.
  for (const name of readdirSync(cache).filter((one) => one.endsWith('.sqlite')))
    truncateSync(path.join(cache, name), statSync(path.join(cache, name)).size - 4096)
  const child = start(['--tape', tape])
  await listeningAt(child)
  child.kill()
  expect(await new Response(child.stderr).text()).toContain('is damaged; casting it again')
})

test('two servers that want the same world at once cast it once', async () => {
  const env = { TAPEWRIGHT_CACHE: file('together') }
  const both = [start(['--tape', tape], env), start(['--tape', tape], env)]
  await Promise.all(both.map(listeningAt))
  for (const child of both) child.kill()
  const logged = await Promise.all(both.map((child) => new Response(child.stderr).text()))
  expect(logged.join('').match(/casting the world/g)).toHaveLength(1)
})

/** Starts a server on an empty cache; returns it once its world is half-written. */
async function casting(folder: string) {
  const drafts = () =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.tmp')) : []
  const sizeOf = (name: string) =>
    statSync(path.join(folder, name), { throwIfNoEntry: false })?.size ?? 0
  const isWriting = () => drafts().some((name) => sizeOf(name) > 100_000)
  const server = start(['--tape', tape], { TAPEWRIGHT_CACHE: folder })
  while (!isWriting()) await pause()
  const [draft = ''] = drafts()
  return { server, drafts, caster: Number(/\.(\d+)\.\d+\.tmp$/.exec(draft)?.[1]) }
}

const emptyFiles = (folder: string) =>
  readdirSync(folder).filter((name) => statSync(path.join(folder, name)).size === 0)

test('a casting goes on when its server is killed, and the next server finds it', async () => {
  const folder = file('outlived')
  const { server, drafts } = await casting(folder)
  server.kill('SIGKILL')
  await server.exited
  const second = start(['--tape', tape], { TAPEWRIGHT_CACHE: folder })
  await listeningAt(second)
  second.kill()
  expect(await new Response(second.stderr).text()).not.toContain('casting the world of')
  expect(drafts()).toEqual([])
})

test('a casting that is killed is reported, and leaves no draft and no empty file', async () => {
  const folder = file('killed')
  const { server, drafts, caster } = await casting(folder)
  process.kill(caster, 'SIGKILL')
  expect(await server.exited).toBe(1)
  const logged = await new Response(server.stderr).text()
  expect(logged).toContain('ended before it was done (by SIGKILL): try again')
  expect([drafts(), emptyFiles(folder)]).toEqual([[], []])
})

test('the remains of a server and a casting that were killed are removed by the next', async () => {
  const folder = file('both-killed')
  const { server, drafts, caster } = await casting(folder)
  server.kill('SIGKILL')
  process.kill(caster, 'SIGKILL')
  await server.exited
  expect(drafts()).toHaveLength(1)
  const second = start(['--tape', tape], { TAPEWRIGHT_CACHE: folder })
  await listeningAt(second)
  second.kill()
  expect(await new Response(second.stderr).text()).toContain('casting the world of')
  expect(drafts()).toEqual([])
})

test('an error is one line and a code, with nothing half-written', async () => {
  const taken = start(['--tape', tape])
  const { port } = new URL(await listeningAt(taken))
  const cases: [string[], string][] = [
    [['--scenaro', 'calm'], 'did you mean --scenario? See tapewright serve --help'],
    [['--scenario', 'stale-bok'], 'there is no scenario "stale-bok", did you mean "stale-book"?'],
    [['--scenario', cache], 'there is no scenario'],
    [['--scenario', 'none.yaml'], 'none.yaml: there is no such file; a scenario of the library'],
    [['--history', 'BTC='], '--history BTC= names no file: write BTC=FILE'],
    [['--tape', cache], `${cache}: is a folder, give a file`],
    [['--tape', 'defalt'], 'there is no tape "defalt", did you mean "default"?'],
    [['serve'], 'serve takes no argument, "serve" was given'],
    [['--nonsense'], "Unknown option '--nonsense'; see tapewright serve --help"],
    [['--tape', file('missing')], 'there is no tape'],
    [['--tape', '/dev/null'], 'no whole first line'],
    [['--tape', tape, '--port', port], 'is taken: use --port 0 for any free one'],
    [['--port', '99999'], '--port must be a number from 0 to 65535, not "99999"'],
    [['--speed', '-1'], 'a value of --speed that begins with a dash is given as --speed=-…'],
    [['--speed', 'fast'], '--speed must be max or a number from 0 to 10000, not "fast"'],
    [['--epoch', 'old'], '--epoch must be live or tape, not "old"'],
    [['--tape', tape, '--host', '0.0.0.0'], 'set TAPEWRIGHT_CONTROL_TOKEN'],
  ]
  for (const [args, words] of cases) {
    const { code, err } = await refused(args)
    expect(err).toContain(words)
    expect([code, err.trim().split('\n').length]).toEqual([1, 1])
  }
  taken.kill()
  // The first one continues its market meanwhile.
  const drafts = readdirSync(cache).filter((name) => name.includes('.tmp'))
  expect(drafts.filter((name) => !name.startsWith('grown-'))).toEqual([])
})

test('an invalid host, or one of another machine, is refused with a valid one', async () => {
  const env = { TAPEWRIGHT_CONTROL_TOKEN: 'token' }
  const hint = 'use --host 127.0.0.1, or an address of this machine'
  const unknown = await refused(['--tape', tape, '--host', 'nowhere.invalid'], env)
  expect([unknown.code, unknown.err]).toEqual([
    1,
    `tapewright: cannot listen on nowhere.invalid:0: there is no host nowhere.invalid: ${hint}\n`,
  ])
  const foreign = await refused(['--tape', tape, '--host', '192.0.2.1'], env)
  expect([foreign.code, foreign.err]).toEqual([
    1,
    `tapewright: cannot listen on 192.0.2.1:0: 192.0.2.1 is no address of this machine: ${hint}\n`,
  ])
})

test('--open opens the console in the named browser, or says that there is none', async () => {
  const shown = file('shown')
  writeFileSync(file('browser'), `#!/bin/sh\nprintf %s "$1" > ${shown}\n`, { mode: 0o755 })
  const child = start(['--tape', tape, '--open'], { BROWSER: file('browser') })
  const origin = await listeningAt(child)
  while (!existsSync(shown) || statSync(shown).size === 0) await pause()
  expect(readFileSync(shown, 'utf8')).toBe(`${origin}/console`)
  child.kill()
  const without = start(['--tape', tape, '--open'], { BROWSER: '/none' })
  const other = await listeningAt(without)
  without.kill()
  const logged = await new Response(without.stderr).text()
  expect(logged).toContain(`no /none is here: open ${other}/console yourself`)
})

test('--json prints one line with everything that a program needs', async () => {
  const child = start(['--tape', tape, '--json'])
  let output = ''
  for await (const chunk of child.stdout) {
    output += new TextDecoder().decode(chunk)
    if (output.includes('\n')) break
  }
  child.kill()
  const { baseUrl, wsBaseUrl, keys, inviteToken, control } = JSON.parse(output)
  expect(wsBaseUrl).toBe(baseUrl.replace('http', 'ws'))
  expect(keys.full).toEqual({ accessKey: 'demo', secretKey: 'demo-secret' })
  expect([inviteToken, control]).toEqual(['demo-invite', `${baseUrl}/_control/sandboxes`])
})

test('a truncated tape and a read-only cache are reported with a remedy', async () => {
  const short = file('cut.tape.ndjson')
  copyFileSync(tape, short)
  truncateSync(short, 200_000)
  const broken = await refused(['--tape', short])
  expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('cut off')])
  const blocked = file('blocked')
  mkdirSync(path.dirname(blocked), { recursive: true })
  await Bun.write(blocked, 'a file where a folder should be')
  const closed = await refused(['--tape', tape], { TAPEWRIGHT_CACHE: path.join(blocked, 'worlds') })
  expect([closed.code, closed.err]).toEqual([1, expect.stringContaining('make it writable')])
  rmSync(short)
})
