/** What a sandbox was told to answer is what is observed at it. */
import { expect, test } from 'bun:test'
import { machine } from '../src/clock/machine.ts'
import type { Observer } from '../src/conformance/observers/observer.ts'
import { UNSEEN } from '../src/conformance/observers/unseen.ts'
import { OBSERVERS, observe } from '../src/conformance/observing.ts'
import { Probe } from '../src/conformance/probe.ts'
import { CHOSEN, QUESTIONS, type QuestionId } from '../src/contract/questions.ts'
import { probed } from './probes.ts'

const IDS = Object.keys(OBSERVERS) as QuestionId[]
const trials = IDS.flatMap((id) =>
  Object.keys(QUESTIONS[id].answers).map((answer): [QuestionId, string] => [id, answer]),
)

let nonce = 0
// A second ahead: what is signed in the second of a move counts as signed before it.
const ahead = { ...machine, nowMs: () => machine.nowMs() + 1_000 }
const pen = { nowS: () => Math.floor(ahead.nowMs() / 1000), nonce: () => `seen-${nonce++}` }

test('a question is either looked at, or it is said why it cannot be', () => {
  const ways = [...IDS, ...Object.keys(UNSEEN)]
  expect(ways.toSorted()).toEqual(Object.keys(QUESTIONS).sort())
})

test.each(trials)('%s: %s is seen', async (id, answer) => {
  const { target, carrier } = await probed({ questions: { [id]: answer } })
  const probe = new Probe(target, carrier, pen)
  expect(await (OBSERVERS[id] as Observer<string>)(probe)).toBe(answer)
  probe.close()
})

test('a whole look gives an answer to each question, or a reason for none', async () => {
  const { target, carrier } = await probed()
  const { questions, unseen } = await observe(target, carrier, ahead)
  for (const id of IDS) expect([id, questions[id]]).toEqual([id, CHOSEN[id]])
  const all = [...Object.keys(questions), ...Object.keys(unseen)]
  expect(all.sort()).toEqual(Object.keys(QUESTIONS).sort())
})
