/** Open questions are not judged: cases pass with every answer. */
import { expect, test } from 'bun:test'
import { HAND_WRITTEN_CASES } from '../../src/conformance/cases.ts'
import type { Case } from '../../src/conformance/probe.ts'
import { QUESTIONS } from '../../src/contract/questions.ts'
import { memoryTarget, runCase } from '../fixtures/memory-probe.ts'
import { otherAnswers } from '../fixtures/other-answers.ts'

/** The cases that fail under the answers of a rank, and those that are skipped. */
async function verdicts(rank: number, cases: readonly Case[]) {
  const { registry, target, transport } = await memoryTarget({ questions: otherAnswers(rank) })
  const failed: string[] = []
  const skipped: string[] = []
  for (const one of cases) {
    const verdict = await runCase(target, transport, one)
    if (verdict?.startsWith('skipped')) skipped.push(one.id)
    else if (verdict !== null) failed.push(`${one.id}: ${verdict}`)
  }
  registry.close()
  return { failed, skipped }
}

/** Minutes on all sockets pass under the same answers in `ledger.test.ts`, which judges more. */
const CASES = HAND_WRITTEN_CASES.filter(({ id }) => id !== 'sockets.minutes.together')

test.each([0, 1])(
  'every case passes or is skipped under the other answers of rank %i',
  async (rank) => {
    const { failed, skipped } = await verdicts(rank, CASES)
    expect(failed).toEqual([])
    // An identity is skipped where an answer leaves one of its sides without rows.
    // The ends of the day and of the month are far away.
    const ofParts = skipped.filter((id) => !/^(identities|time)\./.test(id))
    // Under `wait` no state is pushed before it changes; other answers leave these without rows.
    expect(ofParts).toEqual([
      'envelopes.b.message',
      ...['stock.gainers.order', 'stock.gainers.no-indexes'],
      ...['futures.history.raw-rate', 'limits.gainers'],
      ...['sockets.addresses.states', 'sockets.addresses.dex'],
    ])
  },
)

/** Questions with a third other answer: of refusals, which only these cases provoke. */
const OF_REFUSALS = ['over-quota', 'over-rate']

test('cases of refusals pass under their third other answers', async () => {
  const thirds = Object.keys(QUESTIONS).filter((id) => otherAnswers(2)[id] !== otherAnswers(0)[id])
  expect(thirds.sort()).toEqual(OF_REFUSALS)
  const cases = HAND_WRITTEN_CASES.filter(({ id }) => id.startsWith('distributor.'))
  expect(await verdicts(2, cases)).toEqual({ failed: [], skipped: [] })
})
