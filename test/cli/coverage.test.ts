/** `tapewright coverage`: of a running server, of files, and as a check of CI. */
import { beforeAll, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostClock } from '../../src/clock/system-clock.ts'
import { createSandbox } from '../../src/index.ts'
import type { CoverageFile } from '../../src/server/coverage/coverage-file.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const at = temporaryFolder()
const { registry } = await recordedRegistry({ clock: 'running' }, hostClock)
const { origin } = await serveRegistry(registry)

async function ran(...words: string[]) {
  const child = Bun.spawn([...PROGRAM, 'coverage', ...words], {
    cwd: at('.'),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, NO_COLOR: '1' },
  })
  const [out, err, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
  ])
  return { code, out, err }
}

const readCoverage = (name: string) => JSON.parse(readFileSync(at(name), 'utf8')) as CoverageFile

beforeAll(async () => {
  await using one = await createSandbox({ coverage: at('one.json') })
  await one.client().perpdex.tickers()
  await using other = await createSandbox({ coverage: at('one.json') })
  await other.client().perpdex.tickers()
  await other.client().perpdex.topTrades({ query: { interval: '1d', coin: 'BTC', limit: 500 } })
  for (const _ of [1, 2]) {
    await using apart = await createSandbox({ name: 'same', coverage: at('many/') })
    await apart.client().coin.list()
  }
})

test('sandboxes of one file are added, and those of a folder have a file each', () => {
  const { runs, points } = readCoverage('one.json')
  expect(runs).toBe(2)
  expect(points['operation:perpdex.tickers']).toEqual({ met: 2, handled: 0 })
  expect(points['cap:perpdex.topTrades:limit']?.met).toBe(1)
  expect(readdirSync(at('many')).toSorted()).toEqual(['same-2.json', 'same.json'])
  expect(existsSync(at('one.json.new'))).toBe(false)
})

test('a wrong name is refused at once, and a sandbox closes without its file', async () => {
  const wrong = createSandbox({ coverage: '' })
  await expect(wrong).rejects.toThrow('`coverage` must be the name of a file')
  writeFileSync(at('file'), '')
  const sandbox = await createSandbox({ coverage: at('file/under.json') })
  await expect(sandbox.close()).rejects.toThrow(`cannot write ${at('file/under.json')}`)
  await expect(sandbox.control.get()).rejects.toThrow('it is closed')
})

test('the default sandbox of a running server is reported, and written as a file', async () => {
  await fetch(
    `${origin}/api/upgrade/v2/hl/tickers?${signedQuery({ accessKey: 'demo' }, hostClock)}`,
  )
  const text = await ran('--url', origin)
  expect([text.code, text.err]).toEqual([0, ''])
  expect(text.out).toMatch(/^[\d.]+ % of the requirements were met, in one sandbox\n/)
  expect(text.out).toMatch(/ {2}operations {3}1 of \d+ met, 0 of \d+ handled\n/)
  await ran('--url', origin, '--report', 'file', '--out', 'running.json')
  expect(readCoverage('running.json').points['operation:perpdex.tickers']?.met).toBe(1)
})

test('files are added; a report is JSON, LCOV or a page, and the badge is an image', async () => {
  const files = ['one.json', 'many/same.json', 'many/same-2.json']
  const json = await ran(...files, '--report', 'json')
  const { totals, items } = JSON.parse(json.out)
  const state = (id: string) => items.find((one: { id: string }) => one.id === id)?.state
  expect(state('operation:coin.list')).toBe('met')
  expect(state('limit.topTrades')).toBe('met')
  expect(state('auth.window')).toBe('never')
  expect(totals[0]).toMatchObject({ kind: 'requirement', total: 466 })
  const lcov = (await ran(...files, '--report', 'lcov')).out
  expect(lcov).toContain('\nFNDA:2,operation:coin.list\n')
  const records = lcov.split('end_of_record\n').slice(0, -1)
  for (const record of records) {
    const count = (name: string) => Number(new RegExp(`^${name}:(\\d+)$`, 'm').exec(record)?.[1])
    const lines = [...record.matchAll(/^DA:\d+,(\d+)$/gm)].map(([, hits]) => Number(hits))
    expect([count('LF'), count('LH')]).toEqual([
      lines.length,
      lines.filter((one) => one > 0).length,
    ])
  }
  await ran(...files, '--report', 'html', '--out', 'page.html', '--badge', 'badge.svg')
  const page = readFileSync(at('page.html'), 'utf8')
  expect(page).toContain('<summary>Authentication: ')
  expect(page).not.toContain('undefined')
  expect(readFileSync(at('badge.svg'), 'utf8')).toMatch(/aria-label="contract: [\d.]+ %"/)
})

test('below the threshold the code is 1; a group has its own share', async () => {
  const below = await ran('one.json', '--threshold', '80')
  expect(below.code).toBe(1)
  expect(below.err).toMatch(/[\d.]+ % of the requirements were met, and --threshold is 80 %/)
  expect((await ran('one.json', '--threshold', '1')).code).toBe(0)
  const shareOf = async (...words: string[]) =>
    JSON.parse((await ran('one.json', '--report', 'json', ...words)).out).percent as number
  expect(await shareOf('--group', 'perpdex')).toBeGreaterThan(await shareOf('--group', 'stock'))
})

test.each([
  [['missing.json'], /missing\.json cannot be read: .*ENOENT/],
  [['other.json'], /other\.json is no coverage file: name one of createSandbox/],
  [['older.json'], /older\.json is of another version of Tapewright \(points 00000000, here/],
  [['broken.json'], /broken\.json is a damaged coverage file/],
  [['one.json', '--threshold', '101'], /--threshold must be a number from 0 to 100, not "101"/],
  [['one.json', '--group', 'perpdx'], /--group: there is no group "perpdx".*perpdex/],
  [['one.json', '--out', 'file/x'], /cannot write file\/x: /],
])('%p is refused with a line that says what is right', async (words, message) => {
  const file = readCoverage('one.json')
  writeFileSync(at('other.json'), '{"passed":1}')
  writeFileSync(at('older.json'), JSON.stringify({ ...file, contract: '00000000' }))
  const points = { 'operation:coin.list': { met: -1, handled: 0 } }
  writeFileSync(at('broken.json'), JSON.stringify({ ...file, points }))
  const { code, err, out } = await ran(...words)
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(message)
})
