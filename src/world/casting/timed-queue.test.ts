import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { TimedQueue } from './timed-queue.ts'

test('things come out by time, and in the order put in at the same time', () => {
  const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 80 })
  fc.assert(
    fc.property(times, (list) => {
      const agenda = new TimedQueue<[number, number]>()
      for (const [turn, timeMs] of list.entries()) agenda.put(timeMs, [timeMs, turn])
      const out: [number, number][] = []
      for (let next = agenda.take(20); next; next = agenda.take(20)) out.push(next)
      expect(out).toEqual([...out].sort((a, b) => a[0] - b[0] || a[1] - b[1]))
      expect(out).toHaveLength(list.length)
    }),
  )
})

test('what is not due stays', () => {
  const agenda = new TimedQueue<string>()
  agenda.put(10, 'late')
  agenda.put(5, 'early')
  expect([agenda.take(4), agenda.take(9), agenda.take(9), agenda.take(10)]).toEqual([
    undefined,
    'early',
    undefined,
    'late',
  ])
})
