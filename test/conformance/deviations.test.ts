/** Each of these departs from the contract in one way, and the case that is named notices. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { WRITTEN_DEVIATIONS } from './deviations/by-hand.ts'
import { tryDeviation } from './deviations/run/trial.ts'
import { type TrialPlace, trialPlace } from './deviations/run/trial-place.ts'

const CASES = [...HAND_WRITTEN_CASES, ...DERIVED_CASES]

let place: TrialPlace | undefined

for (const deviation of WRITTEN_DEVIATIONS)
  test(`noticed: ${deviation.id}`, async () => {
    const cases = CASES.filter(({ id }) => id === deviation.caseId)
    expect(cases).toHaveLength(1)
    place = place?.isUsed() === false ? place : await trialPlace(true)
    const { noticedBy } = await tryDeviation(deviation, cases, place, () => trialPlace(true))
    expect(noticedBy).toBe(deviation.caseId as string)
  })
