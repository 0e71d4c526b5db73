/** Each gap of the contract is an open question, or has a reason not to be. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { UNSPECIFIED_PLACES } from '../../src/contract/questions/unspecified.ts'
import { QUESTIONS } from '../../src/contract/questions.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { sharedTape } from '../fixtures/shared-tapes.ts'

/** Lines of the contract with something not shown. */
const LINES = path.join(PROJECT_FOLDER, 'test', 'fixtures', 'contract', 'unspecified-places.txt')

test('each place names existing questions, or has a reason for none', () => {
  for (const { words, questions, because } of UNSPECIFIED_PLACES) {
    expect([words, questions.length > 0 || because !== undefined]).toEqual([words, true])
    for (const id of questions) expect(Object.keys(QUESTIONS)).toContain(id)
  }
})

test('the places match those of the contract, one for one', async () => {
  const unspecified = (await Bun.file(LINES).text()).trimEnd().split('\n')
  const named = unspecified.map((line) =>
    UNSPECIFIED_PLACES.filter(({ words }) => line.includes(words)),
  )
  for (const [at, places] of named.entries())
    expect([unspecified[at]?.slice(0, 120), places.length]).toEqual([
      unspecified[at]?.slice(0, 120),
      1,
    ])
  expect(named.flat()).toHaveLength(UNSPECIFIED_PLACES.length)
})

const CONTRACT = sharedTape('../contract/spec.md')

test.skipIf(CONTRACT.absent)(
  `the kept lines are those of the whole contract${CONTRACT.reason}`,
  async () => {
    const whole = (await Bun.file(CONTRACT.path).text()).split('\n')
    const kept = (await Bun.file(LINES).text()).trimEnd().split('\n')
    expect(whole.filter((line) => /not shown/i.test(line))).toEqual(kept)
  },
)

test.skipIf(CONTRACT.absent)(`the copy is the contract${CONTRACT.reason}`, async () => {
  const copy = path.join(PROJECT_FOLDER, 'test', 'fixtures', 'contract', 'contract.md')
  expect(await Bun.file(copy).text()).toBe(await Bun.file(CONTRACT.path).text())
})
