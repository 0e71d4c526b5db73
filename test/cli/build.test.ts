/** A start from a checkout: it builds the program, again when a source has changed. */
import { beforeAll, expect, test } from 'bun:test'
import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const PARTS = ['src', 'scripts', 'seed', 'package.json', 'bun.lock', 'bunfig.toml', 'tsconfig.json']

beforeAll(() => {
  for (const part of PARTS) cpSync(path.join(PROJECT_FOLDER, part), at(part), { recursive: true })
  symlinkSync(path.join(PROJECT_FOLDER, 'node_modules'), at('node_modules'))
})

function tapewright(...words: string[]) {
  const command = [process.execPath, at('scripts/tapewright.ts'), ...words]
  const run = Bun.spawnSync(command, { cwd: path.dirname(at('src')) })
  return { code: run.exitCode, out: run.stdout.toString(), err: run.stderr.toString() }
}

const builds = () => readdirSync(at('dist')).filter((name) => !name.includes('.'))

/** Writes a source again, with a replacement in it. */
function edit(file: string, from: string, to: string): void {
  const text = readFileSync(at(file), 'utf8')
  expect(text).toContain(from)
  writeFileSync(at(file), text.replace(from, to))
}

/** What the first start says, which builds. */
let first: ReturnType<typeof tapewright>

test('the first start builds, the next one runs the built program', () => {
  first = tapewright('help', 'tape')
  expect([first.code, first.err]).toEqual([0, ''])
  const [built = ''] = builds()
  expect(builds()).toEqual([built])
  const main = at(`dist/${built}/main.js`)
  writeFileSync(main, `export const launch = () => console.log('what was built')`)
  expect(tapewright('help', 'tape')).toEqual({ code: 0, out: 'what was built\n', err: '' })
})

test('a server starts on a quick bundle, and the rest is built beside it', () => {
  rmSync(at('dist'), { recursive: true })
  const served = tapewright('serve', '--help')
  expect([served.code, served.err]).toEqual([0, ''])
  const newest = () => JSON.parse(readFileSync(at('dist/newest.json'), 'utf8'))
  const { name } = newest()
  expect(readdirSync(at(`dist/${name}`))).not.toContain('browser')
  for (const _ of [1, 2])
    expect(
      Bun.spawnSync([process.execPath, at('scripts/program-build.ts'), '--beside']).exitCode,
    ).toBe(0)
  expect(newest().isWhole).toBe(true)
  expect(newest().name).not.toBe(name)
  expect(readdirSync(at(`dist/${newest().name}`))).toContain('main.js.jsc')
  expect(tapewright('serve', '--help')).toEqual(served)
  // Built anew, it says what it said at first.
  expect(tapewright('help', 'tape')).toEqual(first)
})

test('a changed source runs, and a program running from the older build stays whole', () => {
  const before = builds()
  edit('src/server/commands/tape.ts', "summary: 'tapes: info", "summary: 'changed: info")
  expect(tapewright('--help').out).toContain('changed: info')
  expect(builds()).toHaveLength(before.length + 1)
  expect(builds()).toEqual(expect.arrayContaining(before))
})

test('a program that cannot be built runs from its sources, with a message', () => {
  writeFileSync(at('src/server/commands/bench.ts'), 'export const bench = {')
  const { code, out, err } = tapewright('--version')
  expect([code, out]).toEqual([
    0,
    `${JSON.parse(readFileSync(at('package.json'), 'utf8')).version}\n`,
  ])
  expect(err).toContain('bench.ts:1')
  expect(err).toEndWith('tapewright: the program cannot be built, so its sources run now\n')
})
