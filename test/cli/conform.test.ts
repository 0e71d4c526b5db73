/** `tapewright conform` as a user runs it, against good, bad and unusual targets. */
import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const DEMO = ['--key', 'demo', '--secret', 'demo-secret']

async function conform(...args: string[]) {
  const run = Bun.spawn([...PROGRAM, 'conform', ...args], {
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited])
  return { out, err, code }
}

// The command is a program of its own, which signs by the machine's clock.
const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

test('a service that passes is reported so, with reports', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-conform-'))
  const file = path.join(folder, 'report.xml')
  const only = ['--only', 'answer.coin', '--only', 'access.perpdex.tickers']
  const control = ['--control', `${origin}/_control`]
  const { out, err, code } = await conform(...control, ...only, '--report', `junit=${file}`)
  expect([err, code]).toEqual(['', 0])
  expect(out).toMatch(/^\d+ passed, 0 failed, 0 skipped; \d+ of \d+ requirements checked, \d+ of/)
  expect(readFileSync(file, 'utf8')).toStartWith('<?xml version="1.0"')
  expect(existsSync(`${file}.tmp`)).toBe(false)
  expect(registry.list()).toHaveLength(1)
})

test('without the keys of others their cases are skipped, not failed', async () => {
  const { out, code } = await conform('--target', origin, ...DEMO, '--only', 'access.distributor')
  expect([code, out]).toEqual([0, expect.stringMatching(/ 0 failed, [1-9]\d* skipped;/)])
})

test('an unusable target is reported in one line, with code 2', async () => {
  const errorOutput = async (...args: string[]) => {
    const { err, code } = await conform(...args)
    expect([err.trim().split('\n').length, code]).toEqual([1, 2])
    return err
  }
  expect(await errorOutput('--target', 'http://127.0.0.1:9', ...DEMO)).toContain(
    'is not answered (ECONNREFUSED)',
  )
  expect(await errorOutput('--target', origin, '--key', 'demo', '--secret', 'no')).toContain(
    'does not accept the key (401 Invalid signature)',
  )
  expect(await errorOutput('--target', origin, ...DEMO, '--only', 'nothing')).toContain(
    'no case begins',
  )
  const elsewhere = await errorOutput('--control', `${origin}/nowhere`)
  expect(elsewhere).toContain('answers 404')
  expect(elsewhere).toContain('--control is the control plane, such as http://')
  const page = Bun.serve({ port: 0, fetch: () => new Response('<html></html>') })
  expect(await errorOutput('--target', `http://localhost:${page.port}`, ...DEMO)).toContain(
    'not JSON: is it the service?',
  )
  await page.stop(true)
})

/** The same service with one renamed field. */
const renaming = () =>
  Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const { method } = request
      const body = method === 'GET' ? null : await request.text()
      const answer = await fetch(`${origin}${pathname}${search}`, { method, body })
      const text = (await answer.text()).replaceAll('"price"', '"Price"')
      return new Response(text, { status: answer.status, headers: answer.headers })
    },
  })

test('failures of a service are printed, with code 1', async () => {
  const renamed = renaming()
  const target = ['--target', `http://localhost:${renamed.port}`, ...DEMO]
  const { out, err, code } = await conform(...target, '--only', 'answer.perpdex.tickers')
  expect([code, out]).toEqual([1, expect.stringContaining('0 passed, 1 failed')])
  expect(err).toContain('failed  perpdex.tickers answers')
  expect(err).not.toMatch(/demo-secret|Signature=/)
  await renamed.stop(true)
})

test('contradictory flags are refused', async () => {
  const bad: [string[], string][] = [
    [[], 'conform needs --target, --key and --secret, or --control'],
    [['--target', 'there', ...DEMO], '--target must begin with http'],
    [['--target', origin, ...DEMO, '--report', 'pdf=x'], '--report must be junit=FILE'],
    [['--target', origin, ...DEMO, '--sub-key', 'x'], '--sub-key and --sub-secret go together'],
    [['--colour'], 'see tapewright conform --help'],
    [['--target', origin, ...DEMO, '--rate', '0'], '--rate must be a number from 1 to'],
    [['--target', origin, ...DEMO, '--concurrency', 'many'], '--concurrency must be a number'],
  ]
  for (const [args, words] of bad) {
    const { err, code } = await conform(...args)
    expect([code, err]).toEqual([1, expect.stringContaining(words)])
  }
})

test('two targets are compared in form', async () => {
  const renamed = renaming()
  const target = ['--target', origin, ...DEMO]
  const { out, code } = await conform(...target, '--diff', `http://localhost:${renamed.port}`)
  expect(code).toBe(1)
  expect(out).toContain('perpdex.tickers\n  data[].price: here, not there\n  data[].Price: there')
  const alike = await conform(...target, '--diff', origin)
  expect([alike.code, alike.out]).toEqual([0, '0 operations differ in form\n'])
  await renamed.stop(true)
})

test('observed answers are written as a file that serve reads', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-observe-'))
  const file = path.join(folder, 'observed.json')
  const only = ['--only', 'answer.coin', '--observe', file, '--patience', '50']
  expect((await conform('--control', `${origin}/_control`, ...only)).code).toBe(0)
  const { questions } = JSON.parse(readFileSync(file, 'utf8'))
  expect(questions).toMatchObject({ 'order-form': 'flat', 'user-pong': 'type' })
})

/** The same service, which changes its behaviour from one request on; and a report of a run. */
async function cutShort(then: (run: Bun.Subprocess) => Response | null) {
  let [left, run]: [number, Bun.Subprocess | null] = [40, null]
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const other = left-- > 0 || run === null ? null : then(run)
      return other ?? fetch(`${origin}${pathname}${search}`, { method: request.method })
    },
  })
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'tapewright-ended-')), 'report.json')
  const target = ['--target', `http://localhost:${server.port}`, ...DEMO]
  const words = [...target, '--only', 'access.', '--report', `json=${file}`, '--quiet']
  const started = Bun.spawn([...PROGRAM, 'conform', ...words], { stdout: 'pipe', stderr: 'pipe' })
  run = started
  const [err, code] = await Promise.all([started.stderr.text(), started.exited])
  await server.stop(true)
  return { err, code, report: JSON.parse(readFileSync(file, 'utf8')) }
}

test('a target that is gone midway is code 2, with a report of the results before', async () => {
  const { err, code, report } = await cutShort(() => new Response('gone', { status: 502 }))
  expect([code, report.ended]).toEqual([2, 'the target no longer answers'])
  expect(err).toContain('the target no longer answers; the report has the results until then')
  expect(report.counts.passed).toBeGreaterThan(10)
  expect(report.counts.failed).toBe(0)
})

test('an interrupt gets a report and code 130', async () => {
  let kills = 0
  const { code, report } = await cutShort((run) => {
    if (kills++ === 0) run.kill('SIGINT')
    return null
  })
  expect([code, report.ended]).toEqual([130, 'it was interrupted'])
  expect(report.counts.passed).toBeGreaterThan(10)
  expect(report.counts.skipped).toBeGreaterThan(100)
})

test('a watched target is probed until Ctrl-C, and changes are reported', async () => {
  let name = 'price'
  const target = Bun.serve({
    port: 0,
    fetch: ({ url }) =>
      url.includes('/hl/tickers')
        ? Response.json({ code: '0', msg: 'success', data: [{ coin: 'BTC', [name]: '1' }] })
        : Response.json({ code: '404', msg: 'Not Found', data: null }, { status: 404 }),
  })
  const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-watch-'))
  const file = ['--watch-file', path.join(folder, 'watch.json')]
  const words = ['--watch', `http://localhost:${target.port}`, ...DEMO, ...file]
  /** The output of one pass; then it is interrupted. */
  const looked = async () => {
    const run = Bun.spawn([...PROGRAM, 'conform', ...words], { stdout: 'pipe', stderr: 'pipe' })
    let out = ''
    for await (const part of run.stdout.pipeThrough(new TextDecoderStream())) {
      out += part
      run.kill('SIGINT')
    }
    expect([await run.stderr.text(), await run.exited]).toEqual(['', 0])
    return out
  }
  expect(await looked()).toContain(' baseline: ')
  name = 'Price'
  expect(await looked()).toMatch(
    / drift: \d+\n[\s\S]* {2}perpdex\.tickers: data\[\]\.Price is new, text\n/,
  )
  await target.stop(true)
})
