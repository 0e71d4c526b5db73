/** Writes generated files: the lists of declarations, and the generated parts of documents. */
import { existsSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { declarationLists } from './declaration-lists.ts'
import { ROOT } from './install.ts'

/** Reports each written file; up-to-date files are left unchanged. */
export async function writeGenerated(): Promise<void> {
  // First, as everything else imports them.
  for (const [name, text] of declarationLists(ROOT)) await write(name, text)
  const { clientFiles } = await import('./client-calls.ts')
  for (const [name, text] of clientFiles()) await write(name, text)
  const { controlClientFiles } = await import('./control-types.ts')
  for (const [name, text] of controlClientFiles()) await write(name, text)
  const { requirementsWithPoints } = await import('../src/server/coverage/requirement-points.ts')
  const requirements = requirementsWithPoints().map((one) => JSON.stringify(one))
  await write('src/server/coverage/requirements.json', `[\n${requirements.join(',\n')}\n]\n`)
  const { exampleAnswers } = await import('./example-answers.ts')
  await write('src/contract/documents/example-answers.json', linesOf(await exampleAnswers()))
  const { controlAnswers } = await import('./control-answers.ts')
  await write('src/server/control/example-answers.json', linesOf(await controlAnswers()))
  const { reference } = await import('../src/contract/documents/reference.ts')
  await write('docs/reference.md', reference())
  const { nativeClients } = await import('../src/contract/documents/native-clients.ts')
  await write('docs/native-clients.md', nativeClients())
  const { requirementsPage } = await import('../src/conformance/requirements-page.ts')
  await write('docs/requirements.md', requirementsPage())
  const { withTables } = await import('./scenarios-page.ts')
  const { terminalPicture } = await import('./terminal-picture.ts')
  await write('docs/terminal.svg', await terminalPicture())
  const text = (page: string) => Bun.file(path.join(ROOT, page)).text()
  for (const page of ['docs/scenarios.md', 'docs/market-events.md'])
    await write(page, withTables(await text(page)))
  const { withSurvival } = await import('./client-page.ts')
  await write('docs/client.md', withSurvival(await text('docs/client.md')))
  const { withCalls } = await import('./control-page.ts')
  await write('docs/control.md', withCalls(await text('docs/control.md')))
  const { commandsPage, withCommandTable } = await import('./commands-page.ts')
  await write('docs/commands.md', commandsPage())
  await write('README.md', withCommandTable(await text('README.md')))
  const { scenarioSchema } = await import('./scenario-schema.ts')
  await write('scenarios/schema.json', `${JSON.stringify(scenarioSchema(), null, 2)}\n`)
  const { configSchema } = await import('./config-schema.ts')
  await write('tapewright.schema.json', `${JSON.stringify(configSchema(), null, 2)}\n`)
}

/** JSON with a line for each field. */
const linesOf = (record: object) =>
  `{\n${Object.entries(record)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(',\n')}\n}\n`

async function write(name: string, text: string): Promise<void> {
  const file = path.join(ROOT, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  await Bun.write(`${file}.new`, text)
  renameSync(`${file}.new`, file)
  console.log(`${name} is written`)
}
