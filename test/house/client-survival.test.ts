/** The client's behaviour for each sentence of each scenario is listed in one table, and tested. */
import { expect, test } from 'bun:test'
import { SURVIVAL, sentencesOf } from '../../scripts/client-survival.ts'
import type { Survived } from '../../scripts/survival/survived.ts'
import { scenarioNames } from '../../src/sandbox/scenario/scenario-library.ts'
import { library } from '../fixtures/feed-recorder.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const NAMES = scenarioNames(`${PROJECT_FOLDER}/scenarios`)

test('every scenario of the library has its tests', async () => {
  expect(Object.keys(SURVIVAL).sort()).toEqual(NAMES)
  const files = [...new Bun.Glob('test/*/client-*scenarios.test.ts').scanSync('.')]
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
  const tested = texts.flatMap((text) => [...text.matchAll(/^survives\(\s*'([\w-]+)'/gm)])
  expect(tested.map(([, name = '']) => name).sort()).toEqual(NAMES)
})

test.each(NAMES)('the table has every sentence of %s', (name) => {
  const { guidance = '' } = library(name)
  const table: Record<string, Record<string, Survived>> = SURVIVAL
  const messages = Object.values(table[name] ?? {}).map(({ says }) => says)
  expect(messages).toEqual(sentencesOf(guidance))
})

test('an added sentence is one more to test', () => {
  const one = 'Keep `code`. Move it by `clock/advance {"to": "next-month"}`, e.g. in 1.5 s.'
  expect(sentencesOf(one)).toHaveLength(2)
  expect(sentencesOf(`${one} And more.`)).toHaveLength(3)
})
