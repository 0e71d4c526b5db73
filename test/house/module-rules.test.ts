/** Every rule of the modules can fail: dependency-cruiser on a project with one file for each. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const FILES = {
  'market/world/world.ts': 'export const world = 1',
  'market/world/cast.ts': 'export const cast = 1',
  'market/world/private.ts': 'export type Private = 1\nexport const hidden = 2',
  'contract/schema.ts': 'export const schema = 1',
  'contract/facts.ts': 'export type Facts = 1',
  'contract/up.ts': "export { world } from '../market/world/world.ts'",
  'contract/records/book.ts': "export type { Facts } from '../facts.ts'",
  'contract/records/whale.ts': "export { schema } from '../schema.ts'",
  'sandbox/door.ts': "export { world } from '../market/world/world.ts'",
  'sandbox/private.ts': "export { hidden } from '../market/world/private.ts'",
  'sandbox/private.test.ts': "export { hidden } from '../market/world/private.ts'",
  'sandbox/type.ts': "export type { Private } from '../market/world/private.ts'",
  'sandbox/late.ts': "export const late = () => import('../market/world/private.ts')",
  'sandbox/nowhere.ts': "export { gone } from './gone.ts'",
  'sandbox/sqlite.ts': "export { Database } from 'bun:sqlite'",
  'sandbox/elysia.ts': "export { Elysia } from 'elysia'",
  'server/transport/elysia/server.ts': "export { Elysia } from 'elysia'",
  'attic/lost.ts': "export { schema } from '../contract/schema.ts'",
}

const folder = mkdtempSync(path.join(tmpdir(), 'tapewright-modules-'))
let findings: string[] = []

beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES))
    await Bun.write(path.join(folder, 'src', name), text)
  const elysia = path.join(folder, 'node_modules', 'elysia')
  await Bun.write(path.join(elysia, 'package.json'), '{"name":"elysia","main":"index.js"}')
  await Bun.write(path.join(elysia, 'index.js'), '')
  const cruiser = path.join(PROJECT_FOLDER, 'node_modules', '.bin', 'depcruise')
  const rules = path.join(PROJECT_FOLDER, '.dependency-cruiser.ts')
  const command = [process.execPath, cruiser, 'src', '--config', rules, '--output-type', 'json']
  const { stdout } = Bun.spawnSync(command, { cwd: folder })
  const { summary } = JSON.parse(stdout.toString()) as {
    summary: { violations: { rule: { name: string }; from: string; to: string }[] }
  }
  findings = summary.violations.map(
    ({ rule, from, to }) => `${rule.name}: ${from.replace('src/', '')} ${to.replace('src/', '')}`,
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const of = (rule: string) => findings.filter((one) => one.startsWith(rule)).sort()

test('a private file is found, by its value, its type or a late import, but not in a test', () => {
  expect(of('doors')).toEqual(
    ['late', 'private', 'type'].map(
      (name) => `doors-of-market: sandbox/${name}.ts market/world/private.ts`,
    ),
  )
})

test('an import against the order of the modules is found', () => {
  expect(of('order')).toEqual(['order-of-contract: contract/up.ts market/world/world.ts'])
})

test('records that are more than schemas are found', () => {
  expect(of('schemas')).toEqual(['schemas-only: contract/records/book.ts contract/facts.ts'])
})

test('a package outside its home is found', () => {
  expect(of('home')).toEqual([
    'home-of-bun:sqlite: sandbox/sqlite.ts bun:sqlite',
    'home-of-elysia: sandbox/elysia.ts node_modules/elysia/index.js',
  ])
})

test('an unlisted module and an import that leads nowhere are found', () => {
  expect(of('unlisted')).toEqual(['unlisted-module: attic/lost.ts contract/schema.ts'])
  expect(of('unresolved')).toEqual(['unresolved: sandbox/nowhere.ts ./gone.ts'])
})

test('a door that nothing else uses is found', () => {
  const doors = of('unused').filter((one) => one.includes('of-market'))
  expect(doors).toEqual(['unused-door-of-market: market/world/cast.ts market/world/cast.ts'])
})
