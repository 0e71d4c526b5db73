import { expect, test } from 'bun:test'
import { tapeMs } from '../clock/instant.ts'
import { oneSlice } from '../clock/turns.ts'
import type { Timeline, TimelineEvent } from '../contract/timeline.ts'
import { playedChunksOf } from './timeline-run.ts'

const [startMs, endMs] = [tapeMs(0), tapeMs(1_999)]
const book = (timeMs: number, coin: string): TimelineEvent => ({
  kind: 'book',
  timeMs: tapeMs(timeMs),
  coin,
})
const mark: TimelineEvent = { kind: 'mark', timeMs: tapeMs(1_000), coin: 'ETH' }
const update: TimelineEvent = {
  kind: 'ledger',
  timeMs: tapeMs(1_001),
  address: '0xa',
  update: { time: 1_001, hash: '0x', delta: { type: 'deposit', usdc: '1.0' } },
}
const chunks = [
  [book(5, 'BTC'), book(5, 'ETH'), book(9, 'BTC')],
  [mark, book(1_001, 'ETH')],
]
const timeline: Timeline = {
  startMs,
  tapeEndMs: endMs,
  endMs,
  chunkMs: 1_000,
  chunk: (index) => chunks[index] ?? [],
  prepare: () => oneSlice(() => {}),
  isOnDemand: (address) => address === '0xa',
  onDemandEvents: (addresses, index) => (addresses.has('0xa') && index === 1 ? [update] : []),
}

test('a chunk has the time and the topic of each of its events', () => {
  const played = playedChunksOf(timeline)
  const [first, second] = [played.chunk(0), played.chunk(1)]
  expect([first.events, second.events]).toEqual(chunks)
  expect([[...first.timesMs], [...second.timesMs]]).toEqual([
    [5, 5, 9],
    [1_000, 1_001],
  ])
  expect([[...first.topics], [...second.topics]]).toEqual([
    [0, 1, 0],
    [2, 1],
  ])
  expect(played.topics.topic(2)).toEqual({ kind: 'mark', subject: 'ETH' })
  expect(played.topics.find({ kind: 'book', subject: 'ETH' })).toBe(1)
  expect(played.topics.find({ kind: 'book', subject: 'SOL' })).toBeUndefined()
})

test('a chunk includes the events of followed on-demand accounts', () => {
  const played = playedChunksOf(timeline)
  const with_ = (address: string) => played.chunkWith(1, new Set([address])).events
  expect(with_('0xa')).toEqual([mark, update, chunks[1]?.[1] as TimelineEvent])
  expect(with_('0xb')).toEqual(chunks[1] as TimelineEvent[])
  expect([0, 1].map((index) => played.concerns(index, '0xa'))).toEqual([false, true])
})

test('a chunk is made once for all players of a timeline', () => {
  expect(playedChunksOf(timeline)).toBe(playedChunksOf(timeline))
  expect(playedChunksOf(timeline).chunk(1)).toBe(playedChunksOf(timeline).chunk(1))
})
