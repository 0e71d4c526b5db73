/** The console's Chinese texts of scenarios and open questions. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { QUESTIONS } from '../../src/contract/questions.ts'
import questions from '../../src/pages/console/views/trouble/chinese/questions.json' with {
  type: 'json',
}
import scenarios from '../../src/pages/console/views/trouble/chinese/scenarios.json' with {
  type: 'json',
}
import { scenarioLibrary } from '../../src/sandbox/scenario/scenario-library.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const HAN = /\p{Script=Han}/u

test('every scenario of the library has its Chinese texts, and nothing else has', () => {
  const library = scenarioLibrary(path.join(PROJECT_FOLDER, 'scenarios'))
  expect(Object.keys(scenarios)).toEqual([...library.names()].sort())
  for (const [name, texts] of Object.entries(scenarios)) {
    const { title, guidance } = library(name)
    for (const text of [texts.title, texts.guidance]) {
      expect([title, guidance]).not.toContain(text)
      expect(text).toMatch(HAN)
    }
  }
})

test('every open question and each of its answers is in Chinese, in the same order', () => {
  const shown: Readonly<Record<string, Texts>> = questions
  const english: Readonly<Record<string, Texts>> = QUESTIONS
  expect(Object.keys(shown).sort()).toEqual(Object.keys(english).sort())
  for (const [id, { answers }] of Object.entries(english)) {
    expect([id, shown[id]?.question]).toEqual([id, expect.stringMatching(HAN)])
    expect([id, Object.keys(shown[id]?.answers ?? {})]).toEqual([id, Object.keys(answers)])
    for (const [answer, text] of Object.entries(answers))
      if (!isCode(text)) expect([id, answer, shown[id]?.answers[answer]]).not.toContain(text)
  }
})

interface Texts {
  question: string
  answers: Readonly<Record<string, string>>
}

/** Whether a text has nothing to translate. */
const isCode = (text: string): boolean => /^`[^`]*`$/.test(text)
