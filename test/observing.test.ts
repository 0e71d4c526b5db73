/** What a sandbox was told to answer is what is observed at it. */
import { expect, test } from 'bun:test'
import type { Observer } from '../src/conformance/observers/observer.ts'
import { UNSEEN } from '../src/conformance/observers/unseen.ts'
import { OBSERVERS, observe } from '../src/conformance/observing.ts'
import { Probe } from '../src/conformance/probe.ts'
import { type AnswerTo, CHOSEN, QUESTIONS, type QuestionId } from '../src/contract/questions.ts'
import { ahead, probed } from './probes.ts'
import { still } from './still-machine.ts'

const IDS = Object.keys(OBSERVERS) as QuestionId[]
const trials = IDS.flatMap((id) =>
  Object.keys(QUESTIONS[id].answers).map((answer): [QuestionId, string] => [id, answer]),
)

let nonce = 0
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

test.each(Object.keys(QUESTIONS['alert-repeats'].answers) as AnswerTo<'alert-repeats'>[])(
  'alert-repeats: %s is seen from any second of a minute on',
  async (answer) => {
    const seen: unknown[] = []
    for (let second = 0; second < 60; second += 4) {
      const now = Math.floor(still.nowMs()) + second * 1_000
      const { target, carrier } = await probed({ questions: { 'alert-repeats': answer }, now })
      const probe = new Probe(target, carrier, pen)
      seen.push(await OBSERVERS['alert-repeats']?.(probe))
    }
    expect(seen).toEqual(seen.map(() => answer))
  },
)

test('a whole look gives an answer to each question, or a reason for none', async () => {
  const { target, carrier } = await probed()
  const { questions, unseen } = await observe(target, carrier, ahead)
  for (const id of IDS) expect([id, questions[id]]).toEqual([id, CHOSEN[id]])
  const all = [...Object.keys(questions), ...Object.keys(unseen)]
  expect(all.sort()).toEqual(Object.keys(QUESTIONS).sort())
})
