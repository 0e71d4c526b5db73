import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { TimedQueue } from './timed-queue.ts'

test('items come out by time, and in the order put in at the same time', () => {
  const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 80 })
  fc.assert(
    fc.property(times, (list) => {
      const queue = new TimedQueue<[number, number]>()
      for (const [order, timeMs] of list.entries()) queue.put(timeMs, [timeMs, order])
      const out: [number, number][] = []
      for (let next = queue.take(20); next; next = queue.take(20)) out.push(next)
      expect(out).toEqual([...out].sort((a, b) => a[0] - b[0] || a[1] - b[1]))
      expect(out).toHaveLength(list.length)
    }),
  )
})

test('items that are not due stay', () => {
  const queue = new TimedQueue<string>()
  queue.put(10, 'late')
  queue.put(5, 'early')
  expect([queue.take(4), queue.take(9), queue.take(9), queue.take(10)]).toEqual([
    undefined,
    'early',
    undefined,
    'late',
  ])
})
