/** Every scenario of the library is complete and shown by a test. */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { scenarioNames } from '../../../src/sandbox/scenario/scenario-library.ts'
import { library, SCENARIOS_FOLDER } from './scenario-market.ts'

const tests = readdirSync(import.meta.dir)
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(import.meta.dir, file), 'utf8'))
  .join('\n')

test.each(scenarioNames(SCENARIOS_FOLDER))('%s has guidance for clients, and a test', (name) => {
  const { title, guidance = '' } = library(name)
  expect([title.length > 10, guidance.length > 20]).toEqual([true, true])
  expect(tests).toContain(`test('scenario ${name}: `)
})

test('no test is of an unknown scenario', () => {
  const shown = [...tests.matchAll(/test\('scenario ([\w-]+): /g)].map(([, name]) => name)
  expect(shown.filter((name) => !scenarioNames(SCENARIOS_FOLDER).includes(name ?? ''))).toEqual([])
})
