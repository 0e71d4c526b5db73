/** `bun run generate`: writes the lists of declarations, and what documents have from the code. */
import { existsSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { install, ROOT } from './install.ts'
import { lists } from './lists.ts'

await install()
// First of all: everything else reads them.
for (const [name, text] of lists(ROOT)) await write(name, text)
const { answers } = await import('./answers.ts')
const recorded = Object.entries(await answers()).map(
  ([id, list]) => `${JSON.stringify(id)}: ${JSON.stringify(list)}`,
)
await write(path.join('src', 'specs', 'answers.json'), `{\n${recorded.join(',\n')}\n}\n`)
const { reference } = await import('../src/specs/reference.ts')
await write(path.join('docs', 'reference.md'), reference())
const { requirementsPage } = await import('../src/conformance/requirements-page.ts')
await write(path.join('docs', 'requirements.md'), requirementsPage())
const { withTables } = await import('./scenarios-page.ts')
const page = path.join('docs', 'scenarios.md')
await write(page, withTables(await Bun.file(path.join(ROOT, page)).text()))

async function write(name: string, text: string): Promise<void> {
  const file = path.join(ROOT, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  await Bun.write(`${file}.new`, text)
  renameSync(`${file}.new`, file)
  console.log(`${name} is written`)
}
