/** The observed answers of a sandbox equal its configured ones. */
import { expect, test } from 'bun:test'
import { OBSERVERS, observe, UNOBSERVABLE } from '../../src/conformance/observation.ts'
import { Probe } from '../../src/conformance/probe.ts'
import { observeRecording } from '../../src/conformance/recording/recorded-answers.ts'
import { Learning } from '../../src/conformance/recording/recording-judge.ts'
import type { Observer } from '../../src/conformance/requirement.ts'
import {
  type AnswerTo,
  DEFAULT_ANSWERS,
  QUESTIONS,
  type QuestionId,
} from '../../src/contract/questions.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'
import { recordedInto } from '../fixtures/recorded-requests.ts'

const IDS = Object.keys(OBSERVERS) as QuestionId[]
const trials = IDS.flatMap((id) =>
  Object.keys(QUESTIONS[id].answers).map((answer): [QuestionId, string] => [id, answer]),
)

let nonce = 0
const signing = {
  nowS: () => Math.floor(futureSigning.nowMs() / 1000),
  nonce: () => `seen-${nonce++}`,
}

test('a question is either observed, or has a reason not to be', () => {
  const ways = [...IDS, ...Object.keys(UNOBSERVABLE)]
  expect(ways.toSorted()).toEqual(Object.keys(QUESTIONS).sort())
})

test.each(trials)('%s: %s is seen', async (id, answer) => {
  const { target, transport } = await memoryTarget({ questions: { [id]: answer } })
  const probe = new Probe(target, transport, signing)
  expect(await (OBSERVERS[id] as Observer<string>)(probe)).toBe(answer)
  probe.close()
})

test.each(Object.keys(QUESTIONS['alert-repeats'].answers) as AnswerTo<'alert-repeats'>[])(
  'alert-repeats: %s is seen from any second of a minute on',
  async (answer) => {
    const seen: unknown[] = []
    for (let second = 0; second < 60; second += 13) {
      const now = Math.floor(fixedClock.nowMs()) + second * 1_000
      const { target, transport } = await memoryTarget({
        questions: { 'alert-repeats': answer },
        now,
      })
      const probe = new Probe(target, transport, signing)
      seen.push(await OBSERVERS['alert-repeats']?.(probe))
    }
    expect(seen).toEqual(seen.map(() => answer))
  },
)

test('an observation gives an answer to each question, or a reason for none', async () => {
  const { target, transport } = await memoryTarget()
  const learning = new Learning()
  const recorded = recordedInto(learning, transport)
  const { questions, unseen } = await observe(target, recorded, futureSigning)
  for (const id of IDS) expect([id, questions[id]]).toEqual([id, DEFAULT_ANSWERS[id]])
  const all = [...Object.keys(questions), ...Object.keys(unseen)]
  expect(all.sort()).toEqual(Object.keys(QUESTIONS).sort())

  // A recording of the same requests shows the same, as far as it shows anything.
  const learned = await observeRecording(learning.answers)
  const ids = Object.keys(learned.questions)
  for (const id of ids) expect([id, learned.questions[id]]).toEqual([id, questions[id]])
  expect(ids.length).toBeGreaterThan(40)
  const known = [...ids, ...Object.keys(learned.unseen)]
  expect(known.sort()).toEqual(Object.keys(QUESTIONS).sort())
})

test.each([
  ['stock-times', 's'],
  ['pnl-point-names', 'short'],
] as const)('%s: %s is observed in a recording too', async (id, answer) => {
  const { target, transport } = await memoryTarget({ questions: { [id]: answer } })
  const learning = new Learning()
  const probe = new Probe(target, recordedInto(learning, transport), signing)
  await (OBSERVERS[id] as Observer<string>)(probe)
  const { questions } = await observeRecording(learning.answers)
  expect(questions[id]).toBe(answer)
})
