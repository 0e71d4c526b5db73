/** The project's test runner: its counts, and that bad exits never look like good ones. */
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { partsOf, tallyOf } from '../../scripts/check-steps.ts'
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

test('each failure is printed once, at the end, with its groups and message', async () => {
  const failing = "for (const n of [1, 2]) test('is ' + n, () => expect(n).toBe(1))"
  const text = `import { describe } from 'bun:test'
describe('outer', () => describe('coin.list', () => { ${failing} }))`
  const { out } = await runs(text)
  expect(out.split('outer > coin.list > is 2')).toHaveLength(2)
  expect(out).not.toContain('is 1')
  expect(out).toMatch(
    /sample\.test\.ts:\n[\s\S]*Expected: 1\nReceived: 2\n[\s\S]*\(fail\) outer > coin\.list > is 2/,
  )
  expect(out).toEndWith('\n1 passed, 1 failed\n')
})

test('a file that cannot be loaded is named with its error', async () => {
  const { out } = await runs("test('a', () => {})\nthrow new Error('at load')")
  expect(out).toMatch(/sample\.test\.ts:\n\n# Unhandled error between tests/)
  expect(out.split('error: at load')).toHaveLength(2)
})

test('all files of a folder run once, however many processes they are shared among', async () => {
  const many = mkdtempSync(path.join(folder, 'many-'))
  for (let n = 0; n < 7; n++)
    await Bun.write(path.join(many, `${n}.test.ts`), `require('bun:test').test('a', () => {})`)
  const run = Bun.spawnSync([process.execPath, RUNNER, many])
  expect(run.stdout.toString()).toEndWith('\n7 passed, 0 failed\n')
})

test('parts have a minute each, of neighbours, and the longest is first', () => {
  const files = ['d', 'b', 'a', 'f', 'e', 'c'].map((name) => `./${name}.test.ts`)
  const known = { a: 20, b: 30, c: 15, d: 70, e: 1, f: 2 }
  const ms = Object.entries(known).map(([name, s]) => [`${name}.test.ts`, s * 1000])
  const parts = partsOf(files, Object.fromEntries(ms))
  const names = parts.map((part) => part.map((file) => file[2]).join(''))
  expect(names).toEqual(['d', 'ab', 'c', 'ef'])
})

test('no part has more than twelve files, and so many that never ran', () => {
  const files = Array.from({ length: 30 }, (_, n) => `./${n + 10}.test.ts`)
  expect(partsOf(files, {}).map(({ length }) => length)).toEqual([12, 12, 6])
  const quick = Object.fromEntries(files.map((file) => [file.slice(2), 10]))
  expect(partsOf(files, quick).map(({ length }) => length)).toEqual([12, 12, 6])
})

test('a bad exit without a failed test counts as one', () => {
  expect(tallyOf(' 1 pass\n 0 fail\n', 139)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
    says: ' 1 pass\n 0 fail\nthe test run itself ended with code 139\n',
  })
})

test('output of a test is not parsed as a count', () => {
  const printed = '7 pass\n\n 1 pass\n 1 skip\n 0 fail\nRan 2 tests across 1 file. [2.00ms]\n'
  expect(tallyOf(printed, 0)).toMatchObject({ passed: 1, failed: 0, skipped: 1 })
})
