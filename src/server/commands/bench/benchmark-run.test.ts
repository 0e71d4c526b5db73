import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runBenchmark } from '../bench.ts'
import { table } from './performance-page.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-measured-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ROW = { name: 'one', value: 1, unit: 'ms', baseline: null, ratio: null }

async function program(text: string): Promise<string> {
  const file = path.join(folder, 'program.ts')
  await Bun.write(file, text)
  return file
}

test('the rows of a benchmark are what it prints', async () => {
  const file = await program(`console.log('${JSON.stringify(ROW)}')`)
  expect(await runBenchmark('sample', file)).toEqual({
    name: 'sample',
    rows: [ROW],
    endedBadly: false,
  })
})

test('rows measured before a failure are kept, and a row says what is missing', async () => {
  const file = await program(`console.log('${JSON.stringify(ROW)}')\nprocess.exit(3)`)
  const { rows, endedBadly } = await runBenchmark('sample', file)
  expect(endedBadly).toBe(true)
  expect(rows).toEqual([ROW, { name: 'the rest of sample', why: 'it ended with code 3' }])
  expect(table(rows)).toContain('| not measured: it ended with code 3 |')
})
