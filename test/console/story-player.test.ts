import { expect, test } from 'bun:test'
import type { StoryRecord } from '../../src/clients/control/records.ts'
import { figureOf } from '../../src/pages/console/story/figures.ts'
import {
  currentStep,
  type PlayerEvent,
  type Playing,
  played,
  type StoryStep,
  stepProgress,
} from '../../src/pages/console/story/player.ts'

const text = (en: string) => ({ en, zh: en })
const STORY: StoryRecord = {
  name: 'two',
  title: text('Two'),
  about: null,
  coin: 'BTC',
  steps: [
    {
      caption: text('First'),
      show: 'all',
      coin: null,
      do: [{ calm: true }],
      until: null,
      waitMs: 10_000,
    },
    { caption: text('Second'), show: 'book', coin: null, do: [], until: null, waitMs: null },
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

test('a step waits for its condition, until its time is over', () => {
  const until = { figure: 'changePct', of: null, above: null, below: -2, withinMs: 5_000 } as const
  const [first, second] = STORY.steps as [StoryStep, StoryStep]
  const story = { ...STORY, steps: [{ ...first, until }, second] }
  const proving = after({ kind: 'start', story }, ACTED)
  expect(proving).toMatchObject({ phase: 'proving', measured: null, limitMs: 6_000 })
  const early = played(proving, { kind: 'measured', value: -1, nowMs: 2_000 })
  expect(early).toMatchObject({ phase: 'proving', measured: -1 })
  const holds = played(early, { kind: 'measured', value: -2.5, nowMs: 3_000 })
  expect(holds).toMatchObject({ phase: 'waiting', measured: -2.5, isUnmet: false, dueMs: 13_000 })
  const late = played(early, { kind: 'tick', nowMs: 6_000 })
  expect(late).toMatchObject({ phase: 'waiting', measured: -1, isUnmet: true, dueMs: 16_000 })
})

const NOTHING = { events: [], book: null, tradeMs: null, nowMs: null, historyDays: null }

test('a figure is that of the last event for the coin', () => {
  const [tradedUsd, boughtUsd] = ['10', '4']
  const rest = { tradedUsd, boughtUsd, liquidatedUsd: { long: '2', short: '1' } }
  const move = { kind: 'move', coin: 'BTC' } as const
  const events = [
    { event: move, outcome: [{ coin: 'BTC', pxBefore: '100', pxAfter: '200', ...rest }] },
    { event: move, outcome: [{ coin: 'BTC', pxBefore: '100', pxAfter: '95', ...rest }] },
    {
      event: { kind: 'listing', coin: 'NEW' } as const,
      outcome: [{ coin: 'NEW', pxBefore: null, pxAfter: '7', ...rest }],
    },
  ]
  const now = { ...NOTHING, events }
  expect(figureOf(now, 'BTC', { figure: 'changePct', of: null })).toBeCloseTo(-5)
  expect(figureOf(now, 'BTC', { figure: 'liquidatedUsd', of: null })).toBe(3)
  expect(figureOf(now, 'BTC', { figure: 'boughtUsd', of: null })).toBe(4)
  expect(figureOf(now, 'NEW', { figure: 'changePct', of: null })).toBeNull()
  expect(figureOf(now, 'BTC', { figure: 'tradedUsd', of: 'newcomer' })).toBe(10)
  expect(figureOf(NOTHING, 'BTC', { figure: 'tradedUsd', of: null })).toBeNull()
  expect(figureOf(NOTHING, 'BTC', { figure: 'tradedUsd', of: 'newcomer' })).toBeNull()
})

test('a figure of the market is that of the newest pushes', () => {
  const book = { bid: 9_999, ask: 10_001, timeMs: 1_000 }
  const now = { ...NOTHING, book, tradeMs: 4_000, nowMs: 6_500, historyDays: 30 }
  const of = (figure: Parameters<typeof figureOf>[2]['figure']) =>
    figureOf(now, 'BTC', { figure, of: null })
  expect(of('spreadBp')).toBeCloseTo(2)
  expect([of('bookAgeS'), of('tradeAgeS'), of('historyDays')]).toEqual([5.5, 2.5, 30])
  for (const figure of ['spreadBp', 'bookAgeS', 'tradeAgeS', 'historyDays'] as const)
    expect(figureOf(NOTHING, 'BTC', { figure, of: null })).toBeNull()
})

test('its progress goes from 0 to 1', () => {
  const now = after(START, ACTED) as Playing
  expect([1_000, 6_000, 20_000].map((ms) => stepProgress(now, ms))).toEqual([0, 0.5, 1])
})
