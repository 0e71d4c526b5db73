/** `tapewright completion`, in the installed shells. */
import { beforeAll, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { everyCommand } from '../../src/server/commands/command.ts'
import { SHELLS } from '../../src/server/commands/completion/declaration.ts'
import { COMMANDS } from '../../src/server/commands/index.ts'
import { PROGRAM } from '../fixtures/program.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

function tapewright(...words: string[]) {
  const run = Bun.spawnSync([...PROGRAM, ...words])
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

beforeAll(() => {
  for (const shell of SHELLS) writeFileSync(at(shell), tapewright('completion', shell).out)
})

/** The completions of bash for the last of the words. */
function inBash(...words: string[]): string[] {
  const call = `source ${at('bash')}
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _tapewright
    printf '%s\\n' "\${COMPREPLY[@]}"`
  const run = Bun.spawnSync(['bash', '-c', call, 'bash', 'tapewright', ...words])
  expect(run.stderr.toString()).toBe('')
  return run.stdout.toString().split('\n').filter(Boolean)
}

test('bash offers commands, actions, flags and values', () => {
  const words = [
    'serve',
    'cast',
    'tape',
    'record',
    'conform',
    'explore',
    'coverage',
    'explain',
    'trigger',
    'logs',
    'doctor',
    'health',
    'bench',
    'completion',
    'help',
  ]
  expect(inBash('')).toEqual(words)
  expect(inBash('co')).toEqual(['conform', 'coverage', 'completion'])
  expect(inBash('tape', 'i')).toEqual(['info', 'import'])
  expect(inBash('help', 'ta')).toEqual(['tape'])
  expect(inBash('serve', '--ma')).toEqual(['--magic', '--max-sockets', '--max-sandboxes'])
  expect(inBash('serve', '--port', '0', '--epoch', '')).toEqual(['live', 'tape'])
  expect(inBash('serve', '--epoch', '=', 'l')).toEqual(['live'])
  expect(inBash('serve', '--epoch', '=')).toEqual(['live', 'tape'])
  expect(inBash('serve', '--scenario', 'stale-')).toEqual(['stale-book'])
  expect(inBash('serve', '--port', '')).toEqual([])
  expect(inBash('tape', 'cut', 'de')).toEqual(['default'])
  expect(inBash('tape', 'import', '--from', 'venue-n')).toEqual(['venue-native'])
  expect(inBash('completion', '')).toEqual([...SHELLS])
})

test('bash offers every flag that a command has, and only these', () => {
  for (const { name, declaration } of everyCommand(COMMANDS)) {
    const offered = inBash(...name.split(' '), '--')
    const settings = declaration.section === undefined ? 0 : 2
    expect([name, offered.length]).toEqual([
      name,
      Object.keys(declaration.flags).length + settings + 1,
    ])
  }
})

test('the tab key completes in an interactive bash', async () => {
  let screen = ''
  const program = 'tapewright() { echo "got:$*:"; }'
  const typed = `${program}; source ${at('bash')}\ntapewright tape ver\tdef\t\nexit\n`
  const shell = Bun.spawn(['bash', '--norc', '--noprofile', '-i'], {
    env: { ...process.env, TERM: 'xterm' },
    terminal: {
      cols: 200,
      rows: 50,
      data: (_, bytes) => {
        screen += new TextDecoder().decode(bytes)
      },
    },
  })
  shell.terminal?.write(typed)
  await shell.exited
  expect(screen).toContain('got:tape verify default:')
})

test.skipIf(Bun.which('zsh') === null)('the script for zsh is one (needs zsh)', () => {
  const run = Bun.spawnSync(['zsh', '-n', at('zsh')])
  expect([run.exitCode, run.stderr.toString()]).toEqual([0, ''])
})

test('the script for zsh has every flag', () => {
  const script = readFileSync(at('zsh'), 'utf8')
  for (const flag of ['--max-sandboxes=', '--partner-secret=', "'--resync["])
    expect(script).toContain(flag)
  expect(script).toStartWith('#compdef tapewright\n')
})

test.skipIf(Bun.which('fish') === null)('fish offers the same (needs fish)', () => {
  const inFish = (line: string) => {
    const run = Bun.spawnSync(['fish', '-c', `source ${at('fish')}; complete -C '${line}'`])
    return run.stdout
      .toString()
      .split('\n')
      .filter(Boolean)
      .map((one) => one.split('\t')[0])
  }
  expect(inFish('tapewright tape i')).toEqual(['import', 'info'])
  expect(inFish('tapewright serve --epoch ')).toEqual(['live', 'tape'])
  expect(inFish('tapewright serve --tape tape --cl')).toEqual(['--clock'])
})

test('another shell is refused with the supported ones', () => {
  expect(tapewright('completion', 'tcsh')).toEqual({
    code: 1,
    out: '',
    err: 'tapewright: completion is for bash, zsh, fish, not "tcsh"\n',
  })
  expect(tapewright('completion').err).toContain('completion takes one shell, 0 were given')
})
