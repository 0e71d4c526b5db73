import { expect, test } from 'bun:test'
import type { TimelineEvent } from '../../contract/timeline.ts'
import { TopicNumbers } from '../timeline-run.ts'
import { TopicIndex } from './event-dispatch.ts'
import type { Stream } from './stream.ts'

const event = (kind: string, coin: string) => ({ kind, coin }) as TimelineEvent
const stream = (...topics: string[]) => ({ topics }) as unknown as Stream

function index() {
  const numbers = new TopicNumbers()
  const topics = new TopicIndex(numbers)
  const woken = (kind: string, coin: string) => [
    ...(topics.streamsOf(numbers.numberOf(event(kind, coin))) ?? []),
  ]
  return { topics, woken }
}

test('an event wakes the streams that follow its topic at that time', () => {
  const { topics, woken } = index()
  const [one, other] = [stream('bbo/BTC', 'trade/BTC'), stream('bbo/BTC')]
  expect(woken('bbo', 'BTC')).toEqual([])
  topics.add(one)
  expect(woken('bbo', 'BTC')).toEqual([one])
  expect(woken('bbo', 'ETH')).toEqual([])
  topics.add(other)
  expect(woken('bbo', 'BTC')).toEqual([one, other])
  expect(woken('trade', 'BTC')).toEqual([one])
  topics.remove(one)
  expect([woken('bbo', 'BTC'), woken('trade', 'BTC')]).toEqual([[other], []])
  topics.remove(other)
  expect(woken('bbo', 'BTC')).toEqual([])
})

test('marks of all coins wake the same streams, whenever they first occur', () => {
  const { topics, woken } = index()
  const [one, other] = [stream('mark/*'), stream('mark/*', 'bbo/BTC')]
  expect([woken('mark', 'BTC'), woken('bbo', 'BTC')]).toEqual([[], []])
  topics.add(one)
  topics.add(other)
  for (const coin of ['BTC', 'ETH']) expect(woken('mark', coin)).toEqual([one, other])
  expect(woken('bbo', 'BTC')).toEqual([other])
  topics.remove(one)
  topics.remove(other)
  for (const coin of ['BTC', 'ETH', 'SOL']) expect(woken('mark', coin)).toEqual([])
  expect(woken('bbo', 'BTC')).toEqual([])
})
