/** Commands for a running server: a market event, the journal, and what is wrong. */
import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { VERSION } from '../../src/platform/version.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { NODE } from '../fixtures/machine-node.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const at = temporaryFolder()
const { registry, sandbox } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)
const TICKERS = '/api/upgrade/v2/hl/tickers'
const HERE = ['--url', origin]

beforeAll(() => mkdirSync(at('empty')))

const spawned = (words: string[], env: Record<string, string> = {}) =>
  Bun.spawn([...PROGRAM, ...words], {
    cwd: at('empty'),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1', ...env },
  })

async function ran(words: string[], env: Record<string, string> = {}) {
  const child = spawned(words, env)
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ])
  return { code, out, err }
}

const requested = (path: string, accessKey = 'demo') =>
  fetch(`${origin}${path}?${signedQuery({ accessKey }, hostClock)}`)

test('a coin falls by a percentage, which begins with a dash', async () => {
  const { code, out, err } = await ran(['trigger', 'BTC', '-5%', '--over', '30s', ...HERE])
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^market event 1: BTC moves by -5 % over 30 s(, from a price of [\d.]+)?\n$/)
  const [requested] = sandbox.marketEvents.list
  expect(requested?.timed.event).toMatchObject({ kind: 'move', coin: 'BTC', pct: -5, overS: 30 })
})

test('a port names a server of this machine', async () => {
  await requested(TICKERS)
  const { code, out, err } = await ran(['logs', '--limit', '1', '--port', new URL(origin).port])
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain(TICKERS)
})

test('TAPEWRIGHT_URL names the server; a port or a URL goes before it', async () => {
  await requested(TICKERS)
  const named = await ran(['logs', '--limit', '1'], { TAPEWRIGHT_URL: `${origin}/` })
  expect([named.code, named.out]).toEqual([0, expect.stringContaining(TICKERS)])
  for (const flags of [HERE, ['--port', new URL(origin).port]]) {
    const { code } = await ran(['logs', ...flags], { TAPEWRIGHT_URL: 'http://127.0.0.1:9' })
    expect(code).toBe(0)
  }
  const { code, err } = await ran(['logs'], { TAPEWRIGHT_URL: 'here' })
  expect([code, err]).toEqual([1, expect.stringContaining('TAPEWRIGHT_URL here is not an address')])
})

test.each([
  [['trigger', 'BTC'], 'trigger takes COIN PCT, 1 given; see tapewright trigger --help'],
  [['trigger', 'BTC', 'down'], '"down" is not a percentage: write it as -5% or +2.5%'],
  [['trigger', 'BTC', '0', ...HERE], 'pct is 0: that is no move'],
  [['trigger', 'BTCC', '-5', ...HERE], 'BTC'],
  [['trigger', 'BTC', '-5', '--url', 'here'], 'here is not an address: write it as http://'],
  [['trigger', 'BTC', '-5', '--sandbox', 'none', ...HERE], '"none"'],
  [['logs', '--url', 'http://127.0.0.1:9'], 'Start one with tapewright serve, or name another'],
  [['logs', '--kind', 'all'], '--kind must be'],
] as const)('%p is refused in one line that says what is right', async (words, text) => {
  const { code, out, err } = await ran([...words])
  expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1])
  expect(err).toContain(text)
})

test('the journal is printed, the newest entry last, and cannot control the terminal', async () => {
  await requested('/api/upgrade/v2/hl/tickers/coin/%1b%5b31mBTC')
  await requested(TICKERS, 'demo-bare')
  const { code, out, err } = await ran(['logs', '--kind', 'request', '--limit', '2', ...HERE])
  expect([code, err]).toEqual([0, ''])
  const lines = out.trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} {2}403 GET \/api\/.*demo-bare.* {2}refused: /)
  expect(out).not.toContain('\u001b')
  await requested(TICKERS)
  const json = await ran(['logs', '--key', 'demo', '--json', ...HERE])
  for (const line of json.out.trim().split('\n')) expect(JSON.parse(line).key).toBe('demo')
})

test('the journal is followed until the server drops the sandbox', async () => {
  await registry.create({ name: 'followed' })
  const child = spawned(['logs', '--follow', '--limit', '0', '--sandbox', 'followed', ...HERE])
  const reader = child.stdout.getReader()
  const first = reader.read()
  let isRead = false
  void first.then(() => {
    isRead = true
  })
  while (!isRead) {
    await fetch(`${origin}/s/followed${TICKERS}`)
    await hostClock.yieldTurn()
  }
  expect(new TextDecoder().decode((await first).value)).toContain('401 GET')
  registry.drop('followed')
  while (!(await reader.read()).done);
  expect(await child.exited).toBe(0)
})

test('doctor finds nothing to mend at a server of its version', async () => {
  const { code, out, err } = await ran(['doctor', ...HERE])
  expect([code, err]).toEqual([0, ''])
  const lines = out.trim().split('\n')
  const whats = lines.map((line) => line.split(/ +/)[1])
  expect(whats).toEqual([
    'versions',
    'node',
    'cache',
    'world',
    'server',
    'clock',
    'chromium',
    'request',
  ])
  expect(out).toContain(`Tapewright ${VERSION} serves`)
  expect(out).toMatch(/^ok +request +signed with demo: \d+ prices from http/m)
})

test('doctor finds the Node of the machine, not that of `bun run`', async () => {
  const folder = at('bun-node-own')
  mkdirSync(folder)
  symlinkSync(process.execPath, path.join(folder, 'node'))
  const PATH = [folder, process.env.PATH].join(path.delimiter)
  const { out } = await ran(['doctor', ...HERE], { PATH })
  expect(out).toMatch(NODE === null ? /^note +node +not found/m : /^(ok|note) +node +(Node )?v\d+/m)
})

test('doctor names what has to be mended: a foreign server, a folder', async () => {
  writeFileSync(at('file'), '')
  await using other = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('?') })
  const url = `http://127.0.0.1:${other.port}`
  const env = { TAPEWRIGHT_CACHE: at('file/cache'), CHROMIUM_PATH: '/none' }
  const { code, out } = await ran(['doctor', '--json', '--url', url], env)
  const { ok, findings } = JSON.parse(out)
  const bad = findings.filter(({ state }: { state: string }) => state === 'bad')
  expect([code, ok]).toEqual([1, false])
  expect(bad.map(({ what, text }: { what: string; text: string }) => [what, text])).toEqual([
    ['cache', expect.stringContaining('or set TAPEWRIGHT_CACHE to a folder that is')],
    ['server', expect.stringContaining('another program listens there')],
    ['chromium', expect.stringContaining('/none')],
    ['request', expect.stringContaining('TAPEWRIGHT_CACHE')],
  ])
})
