/** An error through the scripts of the package: one line, and its code. */
import { expect, test } from 'bun:test'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

function typed(...words: string[]) {
  const run = Bun.spawnSync(words, { cwd: PROJECT_FOLDER, env: { ...process.env, NO_COLOR: '1' } })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

const WRONG_FLAG =
  "tapewright: Unknown option '--prot', did you mean --port? See tapewright serve --help\n"

test('an error through a script is one line, with its code', () => {
  for (const words of [['start'], ['run', 'serve'], ['run', 'tapewright', 'serve']])
    expect(typed(process.execPath, ...words, '--prot', '1')).toEqual({
      code: 1,
      out: '',
      err: WRONG_FLAG,
    })
  expect(typed(process.execPath, 'run', 'tapewright', 'tpae')).toEqual({
    code: 2,
    out: '',
    err: 'tapewright: there is no command "tpae", did you mean "tape"?\n',
  })
  expect(
    typed(
      process.execPath,
      'run',
      'conform',
      '--target',
      'http://127.0.0.1:9',
      '--key',
      'k',
      '--secret',
      's',
    ).code,
  ).toBe(2)
})

test('a script prints the output of its command', () => {
  const run = typed(process.execPath, 'run', 'tapewright', '--version', '--json')
  expect([run.code, run.err]).toEqual([0, ''])
  expect(Object.keys(JSON.parse(run.out))).toEqual(['version', 'bun'])
})

test.skipIf(Bun.which('npx') === null)('the same on a machine with only Node (needs npx)', () => {
  const { code, err } = typed('npx', '--no-install', 'bun', 'start', '--prot', '1')
  const ours = err.split('\n').filter((line) => !line.startsWith('npm '))
  expect([code, ours.join('\n')]).toEqual([1, WRONG_FLAG])
})
