/** The test runner of this project: what it counts, and that bad ends never look like good ones. */
import { afterAll, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { SLOW_TESTS } from '../../scripts/test-order.ts'
import { tallyOf } from '../../scripts/test-tally.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-runner-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const RUNNER = path.join(PROJECT_FOLDER, 'scripts', 'test.ts')

async function runs(text: string) {
  const file = path.join(folder, 'sample.test.ts')
  await Bun.write(file, `import { expect, test } from 'bun:test'\n${text}`)
  const run = Bun.spawnSync([process.execPath, RUNNER, file], { cwd: folder })
  const out = run.stdout.toString()
  return { code: run.exitCode, out, last: out.trimEnd().split('\n').at(-1) }
}

test('a first run begins with files that are there', () => {
  for (const name of SLOW_TESTS)
    expect([name, existsSync(path.join(PROJECT_FOLDER, `${name}.test.ts`))]).toEqual([name, true])
})

test('passed and skipped tests are counted, code 0', async () => {
  const text = "test('a', () => expect(1).toBe(1))\ntest('b', () => {})\ntest.skip('c', () => {})"
  expect(await runs(text)).toMatchObject({ code: 0, last: '2 passed, 0 failed, 1 skipped' })
})

test('a failed test is counted, code 1', async () => {
  const text = "test('a', () => expect(1).toBe(2))\ntest('b', () => {})"
  expect(await runs(text)).toMatchObject({ code: 1, last: '1 passed, 1 failed' })
})

test('a file that cannot be loaded is a failure', async () => {
  const text = "test('a', () => {})\nthrow new Error('at load')"
  expect((await runs(text)).code).toBe(1)
  expect((await runs(text)).last).toMatch(/^\d passed, 1 failed$/)
})

test('a run in which nothing ran is a failure', async () => {
  expect((await runs('')).code).toBe(1)
})

test('each failure is printed once, at the end, with its groups and what it says', async () => {
  const failing = "for (const n of [1, 2]) test('is ' + n, () => expect(n).toBe(1))"
  const text = `import { describe } from 'bun:test'
describe('outer', () => describe('coin.list', () => { ${failing} }))`
  const { out } = await runs(text)
  expect(out.split('outer > coin.list > is 2')).toHaveLength(2)
  expect(out.split('expect(received).toBe(expected)')).toHaveLength(2)
  const [, end = ''] = out.split('failed: ')
  expect(end).toMatch(/^\S*sample\.test\.ts: outer > coin\.list > is 2\n {4}/)
  expect(end).toEndWith('\n\n1 passed, 1 failed\n')
})

test('a file that cannot be loaded is named with what it says', async () => {
  const { out } = await runs("test('a', () => {})\nthrow new Error('at load')")
  expect(out).toMatch(/failed: \S*sample\.test\.ts: outside of its tests\n/)
  expect(out.split('error: at load')).toHaveLength(2)
})

test('failures keep their names, with what was escaped', () => {
  const junit = `<testcase name="a &lt; &quot;b&quot;" file="x.test.ts"><failure /></testcase>`
  expect(tallyOf(junit, '', 1).failed).toEqual([{ name: 'x.test.ts: a < "b"', says: '' }])
})

test('a bad end without a failed test counts as one', () => {
  const junit = '<testcase name="a" file="x.test.ts" />'
  expect(tallyOf(junit, 'trap', 139)).toEqual({
    passed: 1,
    failed: [{ name: 'the test run itself (code 139)', says: 'trap' }],
    skipped: 0,
    files: [],
  })
})
