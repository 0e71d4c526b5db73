/** The program as a process: words in, text and exit code out. */
import { expect, test } from 'bun:test'
import packageJson from '../../package.json' with { type: 'json' }
import { COMMANDS } from '../../src/commands/index.ts'
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

test('a command that does not exist is answered with those that do, in one line', () => {
  const names = COMMANDS.map((command) => command.name).join(', ')
  expect(tapewright('sreve')).toEqual({
    code: 2,
    out: '',
    err: `tapewright: there is no command "sreve", there are: ${names}\n`,
  })
})

test('every command has its own help, in either way', async () => {
  for (const { name, load } of COMMANDS) {
    const usage = `${(await load()).usage.trimEnd()}\n`
    expect(tapewright(name, '--help')).toEqual({ code: 0, out: usage, err: '' })
    expect(tapewright('help', name)).toEqual({ code: 0, out: usage, err: '' })
  }
})

/** Runs a body as a command inside `launch`, in a process of its own. */
function launched(body: string, reader: string) {
  const program = `
    import { COMMANDS } from '${PROJECT_FOLDER}/src/commands/index.ts'
    import { UserError } from '${PROJECT_FOLDER}/src/user-error.ts'
    import { launch } from '${PROJECT_FOLDER}/src/main.ts'
    const run = async () => { ${body} }
    const command = { name: 'probe', summary: '', usage: '', run }
    COMMANDS.push({ name: 'probe', summary: '', load: async () => command })
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

test('so does one that nobody waits for', () => {
  const late = `setTimeout(() => { throw new Error('late') }, 1)`
  const refused = `Promise.reject(new Error('refused'))`
  for (const [body, words] of [
    [late, 'late'],
    [refused, 'refused'],
  ]) {
    const run = launched(`${body}; return new Promise(() => setInterval(() => {}, 1000))`, 'cat')
    expect(run.code).toBe(70)
    expect(run.err).toContain('a fault of ours')
    expect(run.err).toContain(`Error: ${words}`)
  }
})

test('a fault of ours shows its stack and code 70', () => {
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

test('a reader that leaves early is no fault', () => {
  const run = launched(`${PRINTS}; return 0`, 'head -c 10')
  expect(run).toEqual({ code: 0, out: 'xxxxxxxxxx', err: '' })
})
