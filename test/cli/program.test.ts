/** The program as a process: words in, text and exit code out. */
import { expect, test } from 'bun:test'
import packageJson from '../../package.json' with { type: 'json' }
import { everyCommand } from '../../src/server/commands/command.ts'
import { flagName } from '../../src/server/commands/command-line.ts'
import { COMMANDS } from '../../src/server/commands/index.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

function tapewright(...words: string[]) {
  const run = Bun.spawnSync([...PROGRAM, ...words], { cwd: PROJECT_FOLDER })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

test('--version is the version of the package', () => {
  expect(tapewright('--version')).toEqual({ code: 0, out: `${packageJson.version}\n`, err: '' })
})

test('--help, help and nothing at all list every command', () => {
  const help = tapewright('--help')
  expect(help.code).toBe(0)
  const rows = help.out.split('\n').map((row) => row.trim().split(/ {2,}/))
  for (const { name, summary } of COMMANDS) expect(rows).toContainEqual([name, summary])
  expect(tapewright('help')).toEqual(help)
  expect(tapewright()).toEqual(help)
})

test('a command that does not exist is answered with the nearest one, or with all', () => {
  const names = COMMANDS.map((command) => command.name).join(', ')
  expect(tapewright('sreve')).toEqual({
    code: 2,
    out: '',
    err: 'tapewright: there is no command "sreve", did you mean "serve"?\n',
  })
  expect(tapewright('x')).toEqual({
    code: 2,
    out: '',
    err: `tapewright: there is no command "x", there are: ${names}\n`,
  })
  expect(tapewright('tape', 'verfy')).toEqual({
    code: 2,
    out: '',
    err: 'tapewright: there is no "tape verfy", did you mean "tape verify"?\n',
  })
})

test('the help of serve names the variable of the token that another address needs', () => {
  const help = tapewright('serve', '--help').out.replaceAll(/\s+/g, ' ')
  expect(help).toContain('TAPEWRIGHT_CONTROL_TOKEN')
})

test('every command and action has its own help, in either way', () => {
  for (const { name, declaration } of everyCommand(COMMANDS)) {
    const words = name.split(' ')
    const help = tapewright(...words, '--help')
    expect([help.code, help.err]).toEqual([0, ''])
    expect(help.out).toStartWith(`usage: tapewright ${name}`)
    for (const key of Object.keys(declaration.flags))
      expect(help.out).toContain(`  ${flagName(key)}`)
    for (const example of declaration.examples)
      expect(help.out).toContain(`  tapewright ${example.words}\n      ${example.does}\n`)
    expect(tapewright('help', ...words)).toEqual(help)
  }
})

test('a command without flags has no head for them in its help', () => {
  expect(tapewright('completion', '--help').out).not.toContain('\nflags\n')
})

test('a command with actions lists them in its help', () => {
  for (const entry of COMMANDS) {
    if (!('actions' in entry)) continue
    const help = tapewright(entry.name, '--help')
    expect(help.out).toStartWith(`usage: tapewright ${entry.name} <action>`)
    for (const { summary } of entry.actions) expect(help.out).toContain(summary)
    expect(tapewright('help', entry.name)).toEqual(help)
  }
})

test('flags of the output are refused where something else is written', () => {
  for (const flags of [['--json'], ['--at', '60000']])
    expect(tapewright('cast', '--pocket', 'unwritten', ...flags)).toEqual({
      code: 1,
      out: '',
      err: 'tapewright: --pocket prints no cast: leave out --at and --json\n',
    })
})

test('no line of help is longer than a terminal is wide', () => {
  for (const { name } of everyCommand(COMMANDS))
    for (const line of tapewright(...name.split(' '), '--help').out.split('\n'))
      expect([line, line.length <= 100 || line.startsWith('  tapewright ')]).toEqual([line, true])
})

/** Runs a body as a command inside `launch`, in a process of its own. */
function launched(body: string, reader: string) {
  const program = `
    import { COMMANDS } from '${PROJECT_FOLDER}/src/server/commands/index.ts'
    import { UserError } from '${PROJECT_FOLDER}/src/platform/user-error.ts'
    import { launch } from '${PROJECT_FOLDER}/src/main.ts'
    const run = async () => { ${body} }
    const declaration = { name: 'probe', summary: '', about: '', flags: {}, examples: [] }
    COMMANDS.push({ name: 'probe', summary: '', declaration, load: async () => run })
    await launch(['probe'])`
  const shell = `"$BUN" -e "$PROGRAM" | ${reader}; exit "\${PIPESTATUS[0]}"`
  const run = Bun.spawnSync(['bash', '-c', shell], {
    cwd: PROJECT_FOLDER,
    env: { ...process.env, BUN: process.execPath, PROGRAM: program },
  })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

test('a UserError is one line and code 1', () => {
  const run = launched(`throw new UserError('no such tape')`, 'cat')
  expect(run).toEqual({ code: 1, out: '', err: 'tapewright: no such tape\n' })
})

test('so is one in a promise that is not awaited', () => {
  const late = `setTimeout(() => { throw new Error('late') }, 1)`
  const refused = `Promise.reject(new Error('refused'))`
  for (const [body, words] of [
    [late, 'late'],
    [refused, 'refused'],
  ]) {
    const run = launched(`${body}; return new Promise(() => setInterval(() => {}, 1000))`, 'cat')
    expect(run.code).toBe(70)
    expect(run.err).toContain('an internal error')
    expect(run.err).toContain(`Error: ${words}`)
  }
})

test('an internal error shows its stack and code 70', () => {
  const run = launched(`throw new TypeError('not a function')`, 'cat')
  expect(run.code).toBe(70)
  expect(run.err).toContain('TypeError: not a function\n    at ')
})

/** Prints 2 MB, far more than a pipe holds. */
const PRINTS = `for (let i = 0; i < 20000; i++) process.stdout.write('x'.repeat(99) + '\\n')`

test('everything printed reaches a reader that is slower than we are', () => {
  const run = launched(`${PRINTS}; return 3`, '(sleep 0.2; wc -c)')
  expect([run.code, run.out.trim()]).toEqual([3, '2000000'])
})

test('a reader that leaves early is no error', () => {
  const run = launched(`${PRINTS}; return 0`, 'head -c 10')
  expect(run).toEqual({ code: 0, out: 'xxxxxxxxxx', err: '' })
})
