/** `tapewright bench` through the program. Its results are not judged, only that it has some. */
import { expect, test } from 'bun:test'
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

function bench(...words: string[]) {
  const run = Bun.spawnSync([...PROGRAM, 'bench', ...words], {
    cwd: PROJECT_FOLDER,
  })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

test('a benchmark is run by name, its rows as JSON', () => {
  const { code, out } = bench('decimals', '--json')
  expect(code).toBe(0)
  for (const line of out.trim().split('\n')) {
    const { value, baseline, ratio } = JSON.parse(line)
    expect(value).toBeGreaterThan(0)
    expect(ratio).toBe(value / baseline)
  }
})

test('a benchmark that does not exist is a UserError that names those that do', () => {
  const { code, err } = bench('nope')
  expect(code).toBe(1)
  expect(err).toMatch(/^tapewright: there is no benchmark "nope", there are: .*decimals.*\n$/)
})

test('a run compared says the ratio of each row, and its rounds', () => {
  const { code, out, err } = bench('decimals', '--compare', '--rounds', '1', '--json')
  const compared = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(compared.length).toBeGreaterThan(0)
  for (const { now } of compared) expect(now).toMatchObject({ benchmark: 'decimals', rounds: 1 })
  expect(code).toBe(compared.some(({ verdict }) => verdict === 'worse') ? 1 : 0)
  expect(err).toContain('round 1, decimals')
})

test('flags of a run that do not fit together are refused', () => {
  expect(bench('--keep').err).toContain('--keep keeps what --compare has measured: give both')
  expect(bench('--compare', '--write').err).toContain('give one of them')
})
