/** Documents of commands match their declarations; else run `bun run generate`. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { Ajv } from 'ajv'
import { commandsPage, withCommandTable } from '../../scripts/commands-page.ts'
import { configSchema } from '../../scripts/config-schema.ts'
import { everyCommand } from '../../src/server/commands/command.ts'
import { COMMANDS } from '../../src/server/commands/index.ts'
import { variableName } from '../../src/server/commands/settings.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const read = (file: string) => Bun.file(path.join(PROJECT_FOLDER, file)).text()

test('docs/commands.md matches the declarations of commands', async () => {
  expect(await read('docs/commands.md')).toBe(commandsPage())
})

test('the table of the README matches the declarations of commands', async () => {
  const readme = await read('README.md')
  expect(withCommandTable(readme)).toBe(readme)
})

test('tapewright.schema.json matches the declarations of commands', async () => {
  expect(JSON.parse(await read('tapewright.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(configSchema())),
  )
})

test('the schema accepts the example of docs/commands.md, and refuses errors', async () => {
  const check = new Ajv({ strict: false }).compile(configSchema())
  const [, example = ''] = /```json\n([\s\S]*?)```/.exec(await read('docs/commands.md')) ?? []
  expect([check(JSON.parse(example)), check.errors]).toEqual([true, null])
  for (const wrong of [
    { serve: { prot: 1 } },
    { serve: { port: '80' } },
    { serve: { port: 99_999 } },
    { serve: { epoch: 'old' } },
    { serve: { scenario: 'calm' } },
    { serve: { json: true } },
    { serv: {} },
  ])
    expect([wrong, check(wrong)]).toEqual([wrong, false])
})

test('no two settings share a variable', () => {
  const named = new Map<string, unknown>()
  for (const { declaration } of everyCommand(COMMANDS))
    for (const [key, flag] of Object.entries(declaration.flags)) {
      if (declaration.section === undefined || flag.isPerRun) continue
      const variable = variableName(declaration.section, key)
      // A command words a setting for itself.
      const { about: _, ...setting } = flag
      expect([variable, named.get(variable) ?? setting]).toEqual([variable, setting])
      named.set(variable, setting)
    }
  expect(named.has('TAPEWRIGHT_MAX_SOCKETS')).toBe(true)
  expect(named.has('TAPEWRIGHT_CONFORM_SUB_KEY')).toBe(true)
})
