/** Derived cases notice what deviates: each mutant is found by a case that is about it. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import { DERIVED_CASES } from '../../src/conformance/derived.ts'
import { runCases } from '../../src/conformance/runner.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { memoryTarget } from '../fixtures/memory-probe.ts'
import { CHANNEL_MUTANTS } from './mutants/channels.ts'
import { mutatedTransport } from './mutants/mutant.ts'
import { ANSWER_MUTANTS } from './mutants/responses.ts'

const MUTANTS = [...ANSWER_MUTANTS, ...CHANNEL_MUTANTS]

const { target, transport } = await memoryTarget()
let runs = 0

/** Ids of the cases that fail on a transport. */
async function failing(caseIdPrefixes: readonly string[], through = transport): Promise<string[]> {
  const cases = [...DERIVED_CASES, ...HAND_WRITTEN_CASES].filter(({ id }) =>
    caseIdPrefixes.some((start) => id.startsWith(start)),
  )
  expect([caseIdPrefixes, cases.length > 0]).toEqual([caseIdPrefixes, true])
  const settings = {
    target,
    transport: through,
    systemClock: fixedClock,
    nonce: `mutant-${runs++}`,
    caseTimeoutMs: 600_000,
  }
  const results = await runCases(cases, settings)
  return results.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id)
}

test('without a deviation none of these cases fails', async () => {
  expect(await failing(MUTANTS.flatMap(({ caseIdPrefixes }) => caseIdPrefixes))).toEqual([])
})

test('a hundred deviations and more are each found', async () => {
  const missed: string[] = []
  for (const mutant of MUTANTS)
    if ((await failing(mutant.caseIdPrefixes, mutatedTransport(transport, mutant))).length === 0)
      missed.push(mutant.name)
  console.log(`${MUTANTS.length - missed.length} of ${MUTANTS.length} deviations are found`)
  expect(missed).toEqual([])
  expect(MUTANTS.length).toBeGreaterThan(100)
})
