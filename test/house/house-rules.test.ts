/**
 * The house rules, as a test. Each finding names the place, the rule and the remedy. The rules are
 * in test/house/rules/, with tests that each one can fail.
 */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { declarationLists } from '../../scripts/declaration-lists.ts'
import { ROOT } from '../../scripts/install.ts'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { banFindings } from './rules/banned-calls.ts'
import { deadFindings } from './rules/dead-files.ts'
import {
  channelFile,
  declarations,
  operationFile,
  unlistedFindings,
} from './rules/declaration-lists.ts'
import { formFindings } from './rules/file-form.ts'
import { readSources } from './rules/source-file.ts'

const everything = await readSources(['src', 'test', 'bench', 'scripts'])
const src = everything.filter((source) => source.path.startsWith('src/'))

test('there are files to check', () => {
  expect(src.map((source) => source.path)).toContain('src/main.ts')
})

test('time, chance, the environment and the network enter at one place each', () => {
  expect(banFindings(src)).toEqual([])
})

test('files are named after their contents, and files, functions and lines stay short', () => {
  expect(formFindings(everything)).toEqual([])
})

test('no file is dead', () => {
  expect(deadFindings(everything)).toEqual([])
})

test('the lists match their folders; else run `bun run generate`', async () => {
  for (const [name, text] of declarationLists(ROOT))
    expect([name, await Bun.file(path.join(ROOT, name)).text()]).toEqual([name, text])
})

test('every declaration is imported by the list of its module', () => {
  expect(unlistedFindings(src)).toEqual([])
})

test('the lists of the contract match its folders, file for file', () => {
  const operations = OPERATIONS.map((operation) => operationFile(operation.id))
  const channels = CHANNELS.map((channel) => channelFile(channel.id))
  const files = declarations(src, 'src/contract/')
  expect([...operations, ...channels].sort()).toEqual(files.sort())
})

test('the list of the control plane has every call that a file of its folder declares', () => {
  const files = declarations(src, 'src/server/control/')
  const declared = src
    .filter(({ path: file }) => files.includes(file))
    .flatMap(({ code }) => [...code.matchAll(/\bcontrolOperation\(/g)])
  expect(new Set(CONTROL_OPERATIONS).size).toBe(declared.length)
})
