/** The page of the architecture names every module with the imports that the rules allow. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { ALLOWED_IMPORTS, LEAVES } from './rules/layers.ts'

const MODULES = 'contract market tape sandbox server clients conformance pages'.split(' ')

test('the table of modules is what the rules allow', async () => {
  const text = await Bun.file(path.join(PROJECT_FOLDER, 'docs/architecture.md')).text()
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\w, ]*)\|/gm)]
  const table = rows.map(([, name, imports = '']) => [name, imports.trim()])
  const allowed = (name: string) => (ALLOWED_IMPORTS[name] ?? []).filter((one) => !isLeaf(one))
  expect(table).toEqual(MODULES.map((name) => [name, allowed(name).join(', ')]))
})

const isLeaf = (name: string) => LEAVES.includes(name)

test('each leaf is named', async () => {
  const text = await Bun.file(path.join(PROJECT_FOLDER, 'docs/architecture.md')).text()
  expect(LEAVES.filter((leaf) => !text.includes(`\`${leaf}\``))).toEqual([])
})
