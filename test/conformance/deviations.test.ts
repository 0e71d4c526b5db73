/** Deviations from the contract, each detected by its named case. */
import { expect, test } from 'bun:test'
import path from 'node:path'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { QUESTIONS } from '../../src/contract/questions.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { DEVIATIONS, LEFT_OUT_DEVIATIONS } from './deviations/all.ts'
import { WRITTEN_DEVIATIONS } from './deviations/by-hand.ts'
import { CLASSES, type Deviation } from './deviations/deviation.ts'
import { LEFT_OUT } from './deviations/left-out.ts'
import { countsIn } from './deviations/run/kill-table.ts'
import type { Sample } from './deviations/run/sample.ts'
import { tryDeviation } from './deviations/run/trial.ts'
import { type TrialPlace, trialPlace } from './deviations/run/trial-place.ts'
import sample from './deviations/sample.json' with { type: 'json' }

const CASES = new Map([...HAND_WRITTEN_CASES, ...DERIVED_CASES].map((one) => [one.id, one]))

let place: TrialPlace | undefined

/** Runs the case that should detect a deviation; returns its id if it did. */
async function noticing(deviation: Deviation, caseId: string): Promise<string | null> {
  const one = CASES.get(caseId)
  if (!one) throw new Error(`there is no case ${caseId}`)
  if (!place || place.isUsed()) {
    place?.drop()
    place = await trialPlace(true)
  }
  const tried = await tryDeviation(deviation, [one], place, () => trialPlace(true))
  place = tried.place
  return tried.noticedBy
}

for (const deviation of WRITTEN_DEVIATIONS)
  test(`noticed: ${deviation.id}`, async () => {
    const caseId = deviation.caseId ?? ''
    expect(await noticing(deviation, caseId)).toBe(caseId)
  })

test('some of each class are detected by the case that detected them last', async () => {
  const byId = new Map(DEVIATIONS.map((deviation) => [deviation.id, deviation]))
  const missed: string[] = []
  for (const [id, caseId] of Object.entries(sample as Sample)) {
    const deviation = byId.get(id)
    if (!deviation || (await noticing(deviation, caseId)) === null) missed.push(id)
  }
  // After changes: `bun run deviations`.
  expect(missed).toEqual([])
})

test('no two deviations have one id', () => {
  const ids = DEVIATIONS.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

test('exclusions match generated deviations, and name existing questions', () => {
  const ids = LEFT_OUT_DEVIATIONS.map(({ id }) => id)
  expect(LEFT_OUT.filter(({ of }) => !ids.some((id) => of.test(id)))).toEqual([])
  const questions = LEFT_OUT.flatMap(({ why }) => /^open: (.+)$/.exec(why)?.[1] ?? [])
  expect(questions.filter((id) => !(id in QUESTIONS))).toEqual([])
})

test('docs/conformance.md counts the deviations; else `bun run deviations`', async () => {
  const page = await Bun.file(path.join(PROJECT_FOLDER, 'docs', 'conformance.md')).text()
  const counts = countsIn(page)
  const missing = Object.values(CLASSES).filter((words) => !(words in counts))
  expect(missing).toEqual([])
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  // A new operation adds some: the page is updated separately.
  expect(Math.abs(all - DEVIATIONS.length) / DEVIATIONS.length).toBeLessThan(0.05)
})
