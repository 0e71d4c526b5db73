/** `tapewright bench` through the program. Its results are not judged, only that it has some. */
import { expect, test } from 'bun:test'
import { BENCH } from '../../src/server/commands/bench/declaration.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

function bench(...words: string[]) {
  const run = Bun.spawnSync([...PROGRAM, 'bench', ...words], {
    cwd: PROJECT_FOLDER,
  })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

test('the example of a run prints its rows as JSON', () => {
  const { code, out } = bench(...exampleWith('--json'))
  expect(code).toBe(0)
  for (const line of out.trim().split('\n')) {
    const { value, baseline, ratio } = JSON.parse(line)
    expect(value).toBeGreaterThan(0)
    expect(ratio).toBe(value / baseline)
  }
})

test('the example of a run compared says the ratio of each row, and its rounds', () => {
  // Nine rounds of it would judge how fast this machine is now.
  const { code, out, err } = bench(...exampleWith('--compare'), '--rounds', '1', '--json')
  const compared = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(compared.length).toBeGreaterThan(0)
  for (const { now } of compared) expect(now).toMatchObject({ benchmark: 'decimals', rounds: 1 })
  expect(code).toBe(compared.some(({ verdict }) => verdict === 'worse') ? 1 : 0)
  expect(err).toContain('round 1, decimals')
})

/** The words of the only example with a flag, without the name of the command. */
function exampleWith(flag: string): string[] {
  const found = BENCH.examples.filter(({ words }) => words.split(' ').includes(flag))
  expect(found.length).toBe(1)
  return found.flatMap(({ words }) => words.split(' ').slice(1))
}

test('both examples are run here', () => {
  expect(BENCH.examples.length).toBe(2)
})

test('a benchmark that does not exist is a UserError that names those that do', () => {
  const { code, err } = bench('nope')
  expect(code).toBe(1)
  expect(err).toMatch(/^tapewright: there is no benchmark "nope", there are: .*decimals.*\n$/)
})

test('flags of a run that do not fit together are refused', () => {
  expect(bench('--keep').err).toContain('--keep keeps what --compare has measured: give both')
  expect(bench('--compare', '--write').err).toContain('give one of them')
})
