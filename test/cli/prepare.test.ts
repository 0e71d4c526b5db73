/** `prepare`: the preparation of a first start by an install in a checkout. */
import { beforeAll, expect, test } from 'bun:test'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const TAPE = 'recordings/default.tape.ndjson.zst'
const PARTS = ['src', 'scripts', 'seed', 'package.json', 'bun.lock', 'tsconfig.json', TAPE]

beforeAll(() => {
  for (const part of PARTS) cpSync(path.join(PROJECT_FOLDER, part), at(part), { recursive: true })
  symlinkSync(path.join(PROJECT_FOLDER, 'node_modules'), at('node_modules'))
})

function prepare(cache = at('cache'), more: Record<string, string> = {}) {
  const run = Bun.spawnSync([process.execPath, at('scripts/prepare.ts')], {
    env: { ...process.env, TAPEWRIGHT_PREPARE: '', TAPEWRIGHT_CACHE: cache, ...more },
  })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

const newest = () => JSON.parse(readFileSync(at('dist/newest.json'), 'utf8'))
const worlds = () => readdirSync(at('cache')).filter((name) => name.endsWith('.sqlite'))
const writtenMs = () => [
  statSync(at('dist/newest.json')).mtimeMs,
  ...worlds().map((name) => statSync(at(`cache/${name}`)).mtimeMs),
]

test('Bun runs a script that prepares after an install, of which npm does not warn', () => {
  const { scripts } = JSON.parse(readFileSync(at('package.json'), 'utf8'))
  expect(scripts.postprepare).toBe('bun scripts/prepare.ts')
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(scripts[name]).toBeUndefined()
})

test('nothing is made where that is disabled, and no source is needed for it', () => {
  renameSync(at('src'), at('later'))
  const silent = { code: 0, out: '', err: '' }
  expect(prepare(at('cache'), { TAPEWRIGHT_PREPARE: 'no' })).toEqual(silent)
  renameSync(at('later'), at('src'))
  expect([existsSync(at('dist')), existsSync(at('cache'))]).toEqual([false, false])
})

test('the program is built and the default world cast, and neither a second time', () => {
  const { code, out, err } = prepare()
  expect([code, out]).toEqual([0, ''])
  expect(err).toStartWith('tapewright: casting the world of synth seed 1')
  expect([newest().isWhole, worlds().length]).toEqual([true, 1])
  const before = writtenMs()
  expect(prepare()).toEqual({ code: 0, out: '', err: '' })
  expect(writtenMs()).toEqual(before)
})

test('a failed preparation is left to the first start, and the install continues', () => {
  writeFileSync(at('src/server/commands/bench.ts'), 'export const bench = {')
  writeFileSync(at('no-folder'), '')
  const { code, err } = prepare(at('no-folder'))
  expect(code).toBe(0)
  expect(err).toContain('tapewright: left for the first start: the program cannot be built')
  expect(err).toContain('bench.ts:1')
  expect(err.match(/left for the first start/g)).toHaveLength(2)
  writeFileSync(at('src/platform/environment.ts'), 'export const cacheFolder = {')
  expect(prepare()).toMatchObject({
    code: 0,
    err: expect.stringContaining('tapewright: left for the first start: '),
  })
})
