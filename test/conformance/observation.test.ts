/** The answers that a sandbox is configured with are those that are observed at it. */
import { expect, test } from 'bun:test'
import { OBSERVERS, observe } from '../../src/conformance/observation.ts'
import type { Observer } from '../../src/conformance/observers/observer.ts'
import { UNOBSERVABLE } from '../../src/conformance/observers/unobservable.ts'
import { Probe } from '../../src/conformance/probe.ts'
import {
  type AnswerTo,
  DEFAULT_ANSWERS,
  QUESTIONS,
  type QuestionId,
} from '../../src/contract/questions.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { futureSigning, memoryTarget } from '../fixtures/memory-probe.ts'

const IDS = Object.keys(OBSERVERS) as QuestionId[]
const trials = IDS.flatMap((id) =>
  Object.keys(QUESTIONS[id].answers).map((answer): [QuestionId, string] => [id, answer]),
)

let nonce = 0
const signing = {
  nowS: () => Math.floor(futureSigning.nowMs() / 1000),
  nonce: () => `seen-${nonce++}`,
}

test('a question is either looked at, or it is said why it cannot be', () => {
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
    for (let second = 0; second < 60; second += 4) {
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
  const { questions, unseen } = await observe(target, transport, futureSigning)
  for (const id of IDS) expect([id, questions[id]]).toEqual([id, DEFAULT_ANSWERS[id]])
  const all = [...Object.keys(questions), ...Object.keys(unseen)]
  expect(all.sort()).toEqual(Object.keys(QUESTIONS).sort())
})
