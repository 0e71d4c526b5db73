/** Entries kept in the page when a journal exceeds the limit. */
import { expect, test } from 'bun:test'
import type { JournalEntry } from '../../src/clients/control/records.ts'
import { keptEntries, merged } from '../../src/pages/console/journal/filter.ts'

const push = (seq: number) => ({ kind: 'frame', seq, text: '{}' }) as unknown as JournalEntry
const refusal = (seq: number) =>
  ({ kind: 'request', seq, status: 401, refused: 'signature' }) as unknown as JournalEntry
const numbers = (entries: readonly JournalEntry[]) => entries.map(({ seq }) => seq)

test('pushes evict pushes, and refusals evict refusals', () => {
  const pushes = Array.from({ length: 200 }, (_, n) => push(n + 10))
  expect(numbers(keptEntries(pushes, 100))).toEqual(numbers(pushes.slice(100)))
  const refused = [1, 2, 3, 4, 5, 6, 7].map(refusal)
  const kept = keptEntries([...refused, ...pushes], 100)
  expect(numbers(kept)).toEqual([3, 4, 5, 6, 7, ...numbers(pushes.slice(105))])
  expect(keptEntries(kept, 100)).toBe(kept)
})

test('overlapping parts are merged', () => {
  expect(numbers(merged([refusal(1), refusal(5)], [push(4), refusal(5), push(6)]))).toEqual([
    1, 4, 5, 6,
  ])
})
