import { expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BenchmarkRow,
  isOfThisMachine,
  performancePage,
  table,
  writeAtomically,
} from './performance-page.ts'

const fast: BenchmarkRow = {
  name: 'reading',
  value: 1_234_567.8,
  unit: 'events/s',
  baseline: 2e6,
  ratio: 0.617,
}
const alone: BenchmarkRow = {
  name: 'start',
  value: 12.345,
  unit: 'ms',
  baseline: null,
  ratio: null,
}

test('rows are a table of Markdown with aligned columns', () => {
  expect(table([fast, alone])).toBe(
    [
      '|         |     value |  baseline | ratio | unit     |',
      '| ------- | --------: | --------: | ----: | -------- |',
      '| reading | 1,234,568 | 2,000,000 |  0.62 | events/s |',
      '| start   |      12.3 |           |       | ms       |',
    ].join('\n'),
  )
})

test('the page names the runtime and has a section for each benchmark', () => {
  const page = performancePage([{ name: 'start-up', rows: [alone] }])
  expect(page).toContain(`on Bun ${Bun.version}`)
  expect(page).toContain(`## Start up\n\n${table([alone])}\n`)
})

test('results that are not measured anew are kept, those without a benchmark are not', () => {
  const earlier = performancePage([
    { name: 'start-up', rows: [alone] },
    { name: 'pacing', rows: [fast] },
    { name: 'gone', rows: [fast] },
  ])
  expect(isOfThisMachine(earlier)).toBe(true)
  const rows = [{ ...fast, value: 5 }]
  const page = performancePage([{ name: 'pacing', rows }], earlier, ['start-up', 'pacing', 'new'])
  expect(page).toBe(
    performancePage([
      { name: 'pacing', rows },
      { name: 'start-up', rows: [alone] },
    ]),
  )
  expect(isOfThisMachine(page.replace('GiB', 'TiB'))).toBe(false)
})

test('a file is written whole and leaves no draft', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tapewright-page-'))
  const file = join(folder, 'page.md')
  await writeAtomically(file, 'one')
  await writeAtomically(file, 'two')
  expect(await Bun.file(file).text()).toBe('two')
  expect(existsSync(`${file}.tmp`)).toBe(false)
  rmSync(folder, { recursive: true })
})
