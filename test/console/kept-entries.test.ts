/** What of a journal stays in the page when there is more than it keeps. */
import { expect, test } from 'bun:test'
import type { JournalEntry } from '../../src/clients/control/records.ts'
import { keptEntries, merged } from '../../src/pages/console/journal/filter.ts'

const push = (seq: number) => ({ kind: 'frame', seq, text: '{}' }) as unknown as JournalEntry
const refusal = (seq: number) =>
  ({ kind: 'request', seq, status: 401, refused: 'signature' }) as unknown as JournalEntry
const numbers = (entries: readonly JournalEntry[]) => entries.map(({ seq }) => seq)

test('pushes make room for pushes, and refusals for refusals', () => {
  const pushes = Array.from({ length: 200 }, (_, n) => push(n + 10))
  expect(numbers(keptEntries(pushes, 100))).toEqual(numbers(pushes.slice(100)))
  const refused = [1, 2, 3, 4, 5, 6, 7].map(refusal)
  const kept = keptEntries([...refused, ...pushes], 100)
  expect(numbers(kept)).toEqual([3, 4, 5, 6, 7, ...numbers(pushes.slice(105))])
  expect(keptEntries(kept, 100)).toBe(kept)
})

test('stretches that overlap are one', () => {
  expect(numbers(merged([refusal(1), refusal(5)], [push(4), refusal(5), push(6)]))).toEqual([
    1, 4, 5, 6,
  ])
})
