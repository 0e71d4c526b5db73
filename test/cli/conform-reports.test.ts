/** Reports of `tapewright conform`, and inputs about its target. */
import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { hostClock } from '../../src/clock/system-clock.ts'
import { shellCommand } from '../../src/conformance/reports/failure.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const at = temporaryFolder()
const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

/** The same service with one renamed field. */
const renamed = Bun.serve({
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url)
    const answer = await fetch(`${origin}${pathname}${search}`)
    const text = (await answer.text()).replaceAll('"price"', '"Price"')
    return new Response(text, { status: answer.status, headers: answer.headers })
  },
})
const TARGET = ['--target', `http://localhost:${renamed.port}`]
const DEMO = ['--key', 'demo', '--secret', 'demo-secret']
const CASE = 'answer.perpdex.tickers.1'

async function conform(words: string[], env: Record<string, string> = {}) {
  const run = Bun.spawn([...PROGRAM, 'conform', ...TARGET, ...DEMO, ...words], {
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, ...env },
  })
  const [out, err, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited])
  return { out, err, code }
}

/** Whether a command line can be run here. */
const hasAll = (...programs: string[]) => programs.every((name) => Bun.which(name) !== null)

test('a failing run is reported in every form, and is the baseline of the next', async () => {
  const reports = [`json=${at('report.json')}`, `md=${at('report.md')}`, 'github']
  const words = ['--only', CASE, ...reports.flatMap((one) => ['--report', one])]
  const { out, code } = await conform(words, { GITHUB_STEP_SUMMARY: at('summary.md') })
  expect(code).toBe(1)
  expect(out).toMatch(/^::error title=perpdex.tickers answers.*\n::notice title=Conformance::0 pas/)
  const markdown = readFileSync(at('report.md'), 'utf8')
  expect(markdown).toContain(`\`${CASE}\`\n\n- Expected: `)
  expect(readFileSync(at('summary.md'), 'utf8')).toBe(markdown)

  const again = await conform(['--only', CASE, '--baseline', at('report.json')])
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('1 failed (1 known), 0 sk')])
  const other = ['--only', 'access.perpdex.tickers', '--only', CASE]
  writeFileSync(
    at('older.json'),
    '{"results":[{"id":"access.perpdex.tickers.with-an-unknown-key","verdict":"failed"}]}',
  )
  expect((await conform([...other, '--baseline', at('older.json')])).code).toBe(1)
})

test('a settings file in YAML has all settings, and its errors are named', async () => {
  const settled = async (lines: string[], words = ['--only', CASE]) => {
    writeFileSync(at('run.yaml'), ['conform:', ...lines.map((line) => `  ${line}`)].join('\n'))
    return conform([...words, '--config', at('run.yaml')])
  }
  const expected = (until: string) => `expect: ['${CASE} until ${until}: named otherwise']`
  expect((await settled([expected('2999-01-31')])).code).toBe(0)
  const over = await settled([expected('2020-01-31')])
  expect([over.code, over.err]).toEqual([1, expect.stringContaining('and still fails')])
  const id = 'access.perpdex.tickers.with-an-unknown-key'
  const passing = `expect: ['${id} until 2999-01-31: so it is']`
  const { code, err } = await settled([passing], ['--only', 'access.perpdex.tickers'])
  expect([code, err]).toEqual([0, expect.stringContaining('passes: take it off the list')])
  const wrong: [string, string][] = [
    ['expcet: []', 'did you mean conform.expect?'],
    [`expect: ['${CASE}: for ever']`, '--expect must be "ID until 2027-01-31: REASON"'],
    [`expect: ['answer.perpdex.tickerss.1 until 2999-01-31: x']`, `did you mean ${CASE}?`],
    ['baseline: none.json', 'none.json cannot be read'],
    ['rate: [', 'run.yaml:2'],
  ]
  for (const [line, words] of wrong)
    expect(await settled([line])).toMatchObject({ code: 1, err: expect.stringContaining(words) })
})

test('a file describes the contents of a target, and cases are skipped', async () => {
  const cast = (text: string) => {
    writeFileSync(at('cast.yaml'), text)
    return conform([
      '--only',
      'access.coin',
      '--exclude',
      'access.coin.t',
      '--cast',
      at('cast.yaml'),
    ])
  }
  const whole = await conform(['--only', 'access.coin', '--json'])
  const sound = await cast('coins: [BTC]\ntwapIds: [7]\n')
  expect(sound.code).toBe(0)
  const countOf = (text: string) => Number(/(\d+) passed/.exec(text)?.[1])
  expect(countOf(sound.out)).toBeWithin(1, JSON.parse(whole.out).passed)
  expect((await cast('coins: [BTC]\ntwaps: [7]\n')).err).toContain('cast.yaml:2: twaps is wrong')
  expect((await cast('addresses: ["0x12"]\n')).err).toContain(
    'addresses.0 must be 0x and 40 hexadecimal digits',
  )
})

test('there is also a report where nothing could be judged', async () => {
  const words = ['--key', 'nobody', '--report', `junit=${at('none.xml')}`]
  expect((await conform(words)).code).toBe(2)
  expect(existsSync(at('none.xml'))).toBe(true)
  expect(readFileSync(at('none.xml'), 'utf8')).toMatch(/errors="1"[\s\S]*does not accept the key/)
})

test.skipIf(!hasAll('sh', 'curl', 'openssl'))(
  'the command line of a failure asks again, signed by two variables',
  async () => {
    await conform(['--only', CASE, '--report', `json=${at('again.json')}`])
    const [failed] = JSON.parse(readFileSync(at('again.json'), 'utf8')).results
    const { command, answer } = failed.conversation.at(-1)
    const again = (secret: string, line: string = command) => {
      const env = { ...process.env, ACCESS_KEY: 'demo', SECRET_KEY: secret }
      return Bun.spawn(['sh', '-c', line], { env, stdout: 'pipe' }).stdout.text()
    }
    const answered = await again('demo-secret')
    expect(answered).toStartWith(`HTTP/1.1 ${answer.status}`)
    expect(answered).toContain('"Price"')
    expect(await again('another')).toContain('Invalid signature')
    const exchange = {
      kind: 'request' as const,
      method: 'POST' as const,
      afterMs: 0,
      address: `${origin}/api/upgrade/v2/hl/info`,
      body: '{"type":"meta","note":"it\'s"}',
      signature: { by: 'full', in: 'body' as const, ageS: 0, isAltered: false },
      answer: null,
    }
    expect(await again('demo-secret', shellCommand(exchange))).toContain('"universe"')
    const sent = [
      ['AccessKeyId', '$ACCESS_KEY'],
      ['Signature', "it's=!"],
    ] as const
    const altered = { ...exchange.signature, isAltered: true, sent }
    expect(await again('demo-secret', shellCommand({ ...exchange, signature: altered }))).toContain(
      'Invalid signature',
    )
  },
)
