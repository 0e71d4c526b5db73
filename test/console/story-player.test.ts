import { expect, test } from 'bun:test'
import type { StoryRecord } from '../../src/clients/control/records.ts'
import {
  currentStep,
  type PlayerEvent,
  type Playing,
  played,
  stepProgress,
} from '../../src/pages/console/story/player.ts'

const text = (en: string) => ({ en, zh: en })
const STORY: StoryRecord = {
  name: 'two',
  title: text('Two'),
  about: null,
  coin: 'BTC',
  steps: [
    { caption: text('First'), show: 'all', do: [{ calm: true }], waitMs: 10_000 },
    { caption: text('Second'), show: 'book', do: [], waitMs: null },
  ],
}

const after = (...events: PlayerEvent[]) =>
  events.reduce<Playing | null>((now, event) => played(now, event), null)

const START: PlayerEvent = { kind: 'start', story: STORY }
const ACTED: PlayerEvent = { kind: 'acted', nowMs: 1_000 }

test('a step waits for its time once its actions are done', () => {
  expect(after(START)).toMatchObject({ at: 0, phase: 'acting', dueMs: null })
  expect(after(START, { kind: 'tick', nowMs: 99_000 })).toMatchObject({ at: 0 })
  expect(after(START, ACTED)).toMatchObject({ at: 0, phase: 'waiting', dueMs: 11_000 })
  expect(after(START, ACTED, { kind: 'tick', nowMs: 10_999 })).toMatchObject({ at: 0 })
  expect(after(START, ACTED, { kind: 'tick', nowMs: 11_000 })).toMatchObject({ at: 1 })
})

test('a step without a time waits for next, and the story ends after the last', () => {
  const second = [START, ACTED, { kind: 'next' }, { kind: 'acted', nowMs: 2_000 }] as PlayerEvent[]
  expect(after(...second)).toMatchObject({ at: 1, phase: 'held', dueMs: null })
  expect(after(...second, { kind: 'tick', nowMs: 1e12 })).toMatchObject({ at: 1 })
  const over = after(...second, { kind: 'next' }) as Playing
  expect([over.phase, currentStep(over)]).toEqual(['over', null])
  expect(after(...second, { kind: 'next' }, { kind: 'restart' })).toMatchObject({ at: 0 })
  expect(after(...second, { kind: 'back' })).toMatchObject({ at: 0, phase: 'acting' })
  expect(after(...second, { kind: 'stop' })).toBeNull()
})

test('a failed action is reported, and the story continues', () => {
  const failed = after(START, { kind: 'failed', error: 'no such coin', nowMs: 0 })
  expect(failed).toMatchObject({ phase: 'waiting', error: 'no such coin', dueMs: 10_000 })
  expect(played(failed, { kind: 'tick', nowMs: 10_000 })).toMatchObject({ at: 1, error: null })
})

test('its progress goes from 0 to 1', () => {
  const now = after(START, ACTED) as Playing
  expect([1_000, 6_000, 20_000].map((ms) => stepProgress(now, ms))).toEqual([0, 0.5, 1])
})
