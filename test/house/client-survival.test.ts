/** What the client makes of each sentence of each scenario stands in one table, and is tested. */
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
  const said = Object.values(table[name] ?? {}).map(({ says }) => says)
  expect(said).toEqual(sentencesOf(guidance))
})

test('a sentence that is added is one more to show', () => {
  const one = 'Keep `code`. Move it by `clock/advance {"to": "next-month"}`, e.g. in 1.5 s.'
  expect(sentencesOf(one)).toHaveLength(2)
  expect(sentencesOf(`${one} And more.`)).toHaveLength(3)
})
