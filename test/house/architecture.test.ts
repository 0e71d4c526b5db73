/** The page of the architecture names every module with the imports that the rules allow. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { LEAVES, MODULES } from '../../.dependency-cruiser.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

test('the table of modules is what the rules allow', async () => {
  const text = await Bun.file(path.join(PROJECT_FOLDER, 'docs/architecture.md')).text()
  const rows = [...text.matchAll(/^\| `(\w+)` \| ([\w, ]*)\|/gm)]
  const table = rows.map(([, name, imports = '']) => [name, imports.trim()])
  const rules = Object.entries(MODULES)
  expect(table).toEqual(rules.map(([name, { imports }]) => [name, imports.join(', ')]))
})

test('each leaf is named', async () => {
  const text = await Bun.file(path.join(PROJECT_FOLDER, 'docs/architecture.md')).text()
  expect(LEAVES.filter((leaf) => !text.includes(`\`${leaf}\``))).toEqual([])
})
