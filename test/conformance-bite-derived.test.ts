/** Derived cases notice what deviates: each mutant is found by a case that is about it. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN } from '../src/conformance/cases.ts'
import { DERIVED } from '../src/conformance/derived.ts'
import { runCases } from '../src/conformance/runner.ts'
import { ANSWER_MUTANTS } from './mutants/answers.ts'
import { CHANNEL_MUTANTS } from './mutants/channels.ts'
import { deviating } from './mutants/mutant.ts'
import { probed } from './probes.ts'
import { still } from './still-machine.ts'

const MUTANTS = [...ANSWER_MUTANTS, ...CHANNEL_MUTANTS]

const { target, carrier } = await probed()
let runs = 0

/** Ids of the cases that fail on a carrier. */
async function failing(only: readonly string[], through = carrier): Promise<string[]> {
  const cases = [...DERIVED, ...HAND_WRITTEN].filter(({ id }) =>
    only.some((start) => id.startsWith(start)),
  )
  expect([only, cases.length > 0]).toEqual([only, true])
  const settings = { target, carrier: through, by: still, nonce: `bite-${runs++}` }
  const results = await runCases(cases, settings)
  return results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)
}

test('without a deviation none of these cases fails', async () => {
  expect(await failing(MUTANTS.flatMap(({ only }) => only))).toEqual([])
})

test('a hundred deviations and more are each found', async () => {
  const missed: string[] = []
  for (const mutant of MUTANTS)
    if ((await failing(mutant.only, deviating(carrier, mutant))).length === 0)
      missed.push(mutant.name)
  console.log(`${MUTANTS.length - missed.length} of ${MUTANTS.length} deviations are found`)
  expect(missed).toEqual([])
  expect(MUTANTS.length).toBeGreaterThan(100)
})
