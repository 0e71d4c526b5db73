import { expect, test } from 'bun:test'
import { HOUR_MS, later, type ShownMs, shownAt, type TapeMs, tapeAt, tapeMs } from './instant.ts'

const atMs = tapeMs(1_768_478_400_000)

test('shown time is tape time plus the shift, and back', () => {
  const shown = shownAt(atMs, 5_000)
  expect(shown - 5_000).toBe(atMs)
  expect(tapeAt(shown, 5_000)).toBe(atMs)
  expect(later(atMs, HOUR_MS) - atMs).toBe(HOUR_MS)
})

test('tape time and shown time do not mix: this file compiles because none of these does', () => {
  const since = (fromMs: TapeMs) => atMs - fromMs
  const shown: ShownMs = shownAt(atMs, 5_000)
  // @ts-expect-error a shown time is not a time of the tape
  expect(since(shown)).toBe(-5_000)
  // @ts-expect-error a shown time is not shifted again
  expect(shownAt(shown, 5_000) - shown).toBe(5_000)
  // @ts-expect-error a plain number is neither
  expect(since(0)).toBe(atMs as number)
})
