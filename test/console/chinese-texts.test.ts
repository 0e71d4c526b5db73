/** What the console says in Chinese about scenarios and open questions. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { SCENARIOS_IN_CHINESE } from '../../src/console/views/trouble/chinese/scenarios.ts'
import { scenarioLibrary } from '../../src/scenario/scenario-library.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const HAN = /\p{Script=Han}/u

test('every scenario of the library has its Chinese texts, and nothing else has', () => {
  const library = scenarioLibrary(path.join(PROJECT_FOLDER, 'scenarios'))
  expect(Object.keys(SCENARIOS_IN_CHINESE)).toEqual([...library.names()].sort())
  for (const [name, texts] of Object.entries(SCENARIOS_IN_CHINESE)) {
    const { title, guidance } = library(name)
    for (const text of texts) {
      expect([title, guidance]).not.toContain(text)
      expect(text).toMatch(HAN)
    }
  }
})
