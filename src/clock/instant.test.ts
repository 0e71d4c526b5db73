import { expect, test } from 'bun:test'
import { HOUR_MS } from './durations.ts'
import { later, type ShownMs, shownAt, type TapeMs, tapeAt, tapeMs } from './instant.ts'

const atMs = tapeMs(1_768_478_400_000)

test('what is shown is tape time and the shift, and back', () => {
  const shown = shownAt(atMs, 5_000)
  expect(shown - 5_000).toBe(atMs)
  expect(tapeAt(shown, 5_000)).toBe(atMs)
  expect(later(atMs, HOUR_MS) - atMs).toBe(HOUR_MS)
})

test('the two sides do not meet: this file compiles because each of these does not', () => {
  const since = (fromMs: TapeMs) => atMs - fromMs
  const shown: ShownMs = shownAt(atMs, 5_000)
  // @ts-expect-error a shown time is not a time of the tape
  expect(since(shown)).toBe(-5_000)
  // @ts-expect-error what is shown already is not shifted again
  expect(shownAt(shown, 5_000) - shown).toBe(5_000)
  // @ts-expect-error a plain number is on neither side
  expect(since(0)).toBe(atMs as number)
})
