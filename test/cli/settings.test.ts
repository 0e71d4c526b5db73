/** Places of settings, their priority, and errors of invalid ones. */
import { beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PROGRAM } from '../fixtures/program.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const TS = 'tapewright.config.ts'
const JSON_FILE = 'tapewright.config.json'

beforeEach(() => {
  for (const name of [TS, JSON_FILE]) rmSync(at(name), { force: true })
})

const write = (name: string, content: object | string) =>
  writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content))

function tapewright(words: string[], env: Record<string, string> = {}) {
  const run = Bun.spawnSync([...PROGRAM, ...words], {
    cwd: path.dirname(at(TS)),
    env: { ...process.env, ...env },
  })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

/** The example of a settings file in docs/commands.md. */
function exampleOf(language: 'json' | 'ts'): string {
  const page = readFileSync(path.join(PROJECT_FOLDER, 'docs', 'commands.md'), 'utf8')
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''
}

/** The settings of `serve` with these words. */
function inForce(words: string[], env: Record<string, string> = {}, command = 'serve') {
  const { code, out, err } = tapewright([command, ...words, '--print-config'], env)
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out)
}

function refusal(words: string[] = [], env: Record<string, string> = {}): string {
  const { code, out, err } = tapewright(['serve', ...words, '--print-config'], env)
  expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1])
  return err.trim()
}

test('without a file everything is as declared', () => {
  const { file, settings } = inForce([])
  expect(file).toBe(null)
  expect(settings.port).toEqual({ value: 4010, from: 'default' })
  expect(settings.state).toEqual({ value: null, from: 'default' })
  expect(new Set(Object.values(settings as { from: string }[]).map(({ from }) => from))).toEqual(
    new Set(['default']),
  )
})

test('memory is a size or a share, and anything else is refused with both', () => {
  write(JSON_FILE, { serve: { memory: '50%' } })
  expect(inForce([]).settings.memory).toMatchObject({ value: '50%' })
  for (const [given, isTaken] of [
    ['2GB', true],
    ['100%', true],
    ['0%', false],
    ['101%', false],
    ['1.5e1%', false],
    ['1MB', false],
  ] as const) {
    const { code, err } = tapewright(['serve', '--memory', given, '--print-config'])
    expect([given, code]).toEqual([given, isTaken ? 0 : 1])
    if (!isTaken) expect(err).toContain('at least 256MB, as 2GB, or a share from 1% to 100%, not')
  }
})

test('the command line goes before the environment, and that before the file', () => {
  write(JSON_FILE, { $schema: 'x.json', serve: { port: 1, seed: 2, speed: 'max', epoch: 'tape' } })
  const env = { TAPEWRIGHT_PORT: '3', TAPEWRIGHT_SEED: '4' }
  const { file, settings } = inForce(['--port', '5'], env)
  expect(path.basename(file)).toBe(JSON_FILE)
  expect(settings.port).toEqual({ value: 5, from: '--port' })
  expect(settings.seed).toEqual({ value: 4, from: 'TAPEWRIGHT_SEED' })
  expect(settings.speed).toEqual({ value: 'max', from: JSON_FILE })
  expect(settings.epoch).toEqual({ value: 'tape', from: JSON_FILE })
  expect(settings.host.from).toBe('default')
})

test('a settings file may be TypeScript, with fields that the compiler checks', () => {
  // The parts of the package that the example needs: it may not be built here.
  const place = at('node_modules/tapewright')
  mkdirSync(place, { recursive: true })
  const manifest = { name: 'tapewright', type: 'module', exports: { './config': './config.ts' } }
  writeFileSync(path.join(place, 'package.json'), JSON.stringify(manifest))
  symlinkSync(path.join(PROJECT_FOLDER, 'src/entries/config.ts'), path.join(place, 'config.ts'))
  write(TS, exampleOf('ts'))
  const { settings } = inForce([])
  expect(settings.speed).toEqual({ value: 10, from: TS })
  expect(settings.scenario).toEqual({ value: ['stale-book'], from: TS })
})

test('the example of the documents in JSON is one', () => {
  write(JSON_FILE, exampleOf('json'))
  expect(inForce([]).settings.speed).toEqual({ value: 10, from: JSON_FILE })
  expect(inForce([], {}, 'conform').settings.only).toEqual({ value: ['answer'], from: JSON_FILE })
})

test('lists of the environment have commas, and replace that of the file', () => {
  write(JSON_FILE, { serve: { scenario: ['calm'] } })
  const { settings } = inForce([], { TAPEWRIGHT_SCENARIO: 'stale-book,slow-server' })
  expect(settings.scenario.value).toEqual(['stale-book', 'slow-server'])
})

test('a named file is read instead, and its paths are relative to it', () => {
  mkdirSync(at('there'), { recursive: true })
  write(JSON_FILE, { serve: { port: 1 } })
  write('there/own.json', { serve: { state: 'a.sqlite', tape: 'b.tape', seed: 9 } })
  write('there/b.tape', '')
  const { settings } = inForce(['--config', 'there/own.json'])
  expect(settings.port.value).toBe(4010)
  expect(settings.state.value).toBe(at('there/a.sqlite'))
  expect(settings.tape.value).toBe(at('there/b.tape'))
  write('there/own.json', { serve: { tape: 'default', history: ['BTC=b.csv', '/far/e.csv'] } })
  expect(inForce(['--config', 'there/own.json']).settings.history.value).toEqual([
    `BTC=${at('there/b.csv')}`,
    '/far/e.csv',
  ])
  expect(inForce(['--config', 'there/own.json']).settings.tape.value).toBe('default')
})

test('cast uses the world settings of serve, and no others', () => {
  write(JSON_FILE, { serve: { seed: 3, port: 1 } })
  expect(Object.keys(inForce([], {}, 'cast').settings)).toEqual(['tape', 'seed', 'history'])
  expect(inForce([], {}, 'cast').settings.seed.value).toBe(3)
})

test('secrets are not shown', () => {
  const env = { TAPEWRIGHT_CONFORM_SECRET: 'hush', TAPEWRIGHT_CONFORM_KEY: 'k' }
  const { settings } = inForce([], env, 'conform')
  expect(settings.secret).toEqual({ value: '(hidden)', from: 'TAPEWRIGHT_CONFORM_SECRET' })
  expect(settings.key.value).toBe('k')
  expect(settings.subSecret.value).toBe(null)
})

const WRONG: [content: object | string, words: string][] = [
  [
    { serve: { prot: 1 } },
    `${JSON_FILE} has an unknown field, serve.prot; did you mean serve.port?`,
  ],
  [{ serve: { xyz: 1 } }, 'serve.xyz; there are: port, host, tape'],
  [{ serv: {} }, 'has an unknown field, serv; did you mean serve?'],
  [{ conform: { observe: 'x' } }, 'conform.observe; there are: target'],
  [{ serve: { json: true } }, 'serve.json'],
  [
    { serve: { port: 99_999 } },
    `serve.port in ${JSON_FILE} must be a number from 0 to 65535, not "99999"`,
  ],
  [{ serve: { port: '80' } }, `serve.port in ${JSON_FILE} must be a number, not "80"`],
  [{ serve: { speed: true } }, 'must be a number or a text, not true'],
  [{ serve: { epoch: 'old' } }, 'must be live or tape, not "old"'],
  [{ serve: { scenario: 'calm' } }, `serve.scenario in ${JSON_FILE} must be a list`],
  [{ serve: { tape: ['a'] } }, `serve.tape in ${JSON_FILE} must be one value`],
  [{ serve: 3 }, 'serve must be an object'],
  ['[]', `${JSON_FILE} must hold a JSON object`],
  ['{', `${JSON_FILE} is not JSON: `],
]

for (const [content, words] of WRONG)
  test(`${typeof content === 'string' ? content : JSON.stringify(content)} is refused`, () => {
    write(JSON_FILE, content)
    expect(refusal()).toContain(words)
  })

test('a broken module, or one without exports, is reported', () => {
  write(TS, 'export default {')
  expect(refusal()).toStartWith(`tapewright: ${TS} cannot be read: `)
  write(TS, 'export const settings = {}')
  expect(refusal()).toContain(`${TS} exports nothing: write export default`)
})

test('two files, and a missing one, are reported', () => {
  write(JSON_FILE, {})
  write(TS, 'export default {}')
  expect(refusal()).toContain(`there are ${TS} and ${JSON_FILE} here: keep one`)
  expect(refusal(['--config', 'nowhere.json'])).toContain('there is no settings file nowhere.json')
  expect(refusal(['--config', '.'])).toContain('there is no settings file .')
})

test('a wrong variable is named', () => {
  expect(refusal([], { TAPEWRIGHT_PORT: 'many' })).toContain(
    'TAPEWRIGHT_PORT must be a number from 0 to 65535, not "many"',
  )
})

test('a command without settings reads no file', () => {
  write(JSON_FILE, '{')
  expect(tapewright(['tape', 'info', 'default', '--json'])).toMatchObject({ code: 0, err: '' })
})
