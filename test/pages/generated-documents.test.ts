import { expect, test } from 'bun:test'
import path from 'node:path'
import { clientFiles } from '../../scripts/client-calls.ts'
import { withSurvival } from '../../scripts/client-page.ts'
import { controlClientFiles } from '../../scripts/control-types.ts'
import { withTables } from '../../scripts/scenarios-page.ts'
import { terminalPicture } from '../../scripts/terminal-picture.ts'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import { reference } from '../../src/contract/documents/reference.ts'
import { INFO_TYPES } from '../../src/contract/info/index.ts'
import { QUESTIONS } from '../../src/contract/questions.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

test('docs/reference.md is up to date; else run `bun run generate`', async () => {
  const file = path.join(PROJECT_FOLDER, 'docs', 'reference.md')
  expect(await Bun.file(file).text()).toBe(reference())
})

test("docs/terminal.svg shows the program's present output", async () => {
  const picture = await Bun.file(path.join(PROJECT_FOLDER, 'docs', 'terminal.svg')).text()
  expect(picture).toBe(await terminalPicture())
  expect(picture.length).toBeLessThan(100_000)
})

test('docs/scenarios.md has the tables of the code; else run `bun run generate`', async () => {
  const page = await Bun.file(path.join(PROJECT_FOLDER, 'docs', 'scenarios.md')).text()
  expect(page).toBe(withTables(page))
})

test('docs/client.md has the table of its scenarios; else run `bun run generate`', async () => {
  const page = await Bun.file(path.join(PROJECT_FOLDER, 'docs', 'client.md')).text()
  expect(page).toBe(withSurvival(page))
  expect(page).toContain('| [`calm`]')
})

test('the generated clients are up to date; else run `bun run generate`', async () => {
  const files = [...controlClientFiles(), ...clientFiles()]
  for (const [name, text] of files)
    expect([name, await Bun.file(path.join(PROJECT_FOLDER, name)).text()]).toEqual([name, text])
})

test('every operation, type of POST /info, channel and question has its place', () => {
  const text = reference()
  for (const { id, method, path: at, assumed } of OPERATIONS) {
    expect(text).toContain(`\`${method} ${at}\`, \`${id}\``)
    for (const one of assumed) if (!(one in QUESTIONS)) expect(text).toContain(`\n- ${one}\n`)
  }
  for (const { type, title } of INFO_TYPES) expect(text).toContain(`#### \`${type}\`: ${title}`)
  for (const { id, title } of CHANNELS) expect(text).toContain(`#### ${title}\n\n\`${id}\``)
  for (const id of Object.keys(QUESTIONS)) expect(text).toContain(`### \`${id}\``)
})
