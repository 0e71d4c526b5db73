import { expect, test } from 'bun:test'
import {
  comparedRatios,
  historySection,
  historyText,
  isCertain,
  keptRatios,
  measuredRatios,
} from './history.ts'
import type { BenchmarkResult } from './performance-page.ts'

const MACHINE = '2 x a processor'

/** Rounds of one benchmark with these ratios of its one row. */
function rounds(ratios: readonly number[], unit = 'requests/s'): BenchmarkResult[] {
  return ratios.map((ratio) => ({
    name: 'reads',
    rows: [
      { name: 'a read', value: ratio * 100, baseline: 100, ratio, unit },
      { name: 'without a baseline', value: 1, baseline: null, ratio: null, unit: 'ms' },
      { name: 'the rest', why: 'it ended with code 1' },
    ],
  }))
}

function verdict(before: readonly number[], now: readonly number[], unit?: string) {
  const of = { commit: 'abc', machine: MACHINE }
  const kept = keptRatios(historyText('', measuredRatios(rounds(before, unit)), of))
  return comparedRatios(measuredRatios(rounds(now, unit)), kept, MACHINE)[0]?.verdict
}

test('the ratio of a row is the median of its rounds, with the error of that median', () => {
  expect(measuredRatios(rounds([1, 1.02, 5]))).toEqual([
    {
      benchmark: 'reads',
      name: 'a read',
      unit: 'requests/s',
      ratio: 1.02,
      spread: expect.closeTo((1.2533 * 1.4826 * 0.02) / Math.sqrt(3) / 1.02, 8),
      rounds: 3,
    },
  ])
})

test('a benchmark is repeated until its rounds agree', () => {
  expect(isCertain('reads', rounds([1, 1]))).toBe(false)
  expect(isCertain('reads', rounds([1, 1.01, 0.99]))).toBe(true)
  expect(isCertain('reads', rounds([1, 1.3, 0.7]))).toBe(false)
  expect(isCertain('others', rounds([1, 1.01, 0.99]))).toBe(false)
})

test('a rate that falls by more than a tenth is worse, a time that does is better', () => {
  expect(verdict([1, 1, 1], [0.85, 0.85, 0.85])).toBe('worse')
  expect(verdict([1, 1, 1], [0.85, 0.85, 0.85], 'ms')).toBe('better')
  expect(verdict([1, 1, 1], [1.2, 1.2, 1.2])).toBe('better')
  expect(verdict([1, 1, 1], [1.2, 1.2, 1.2], 'MB')).toBe('worse')
  expect(verdict([1, 1, 1], [0.95, 0.95, 0.95])).toBe('same')
})

test('rounds that disagree accuse only of what is beyond their error', () => {
  expect(verdict([1, 1, 1], [0.87, 1.2, 0.6])).toBe('uncertain')
  expect(verdict([1, 1, 1], [0.3, 0.36, 0.25])).toBe('worse')
})

test('the last kept ratio of this machine class counts, else the last of any', () => {
  const [measured] = measuredRatios(rounds([1, 1, 1]))
  if (measured === undefined) throw new Error('no row')
  const kept = [
    { ...measured, ratio: 1.01, commit: 'a', machine: MACHINE },
    { ...measured, ratio: 2, commit: 'b', machine: 'another' },
  ]
  expect(comparedRatios([measured], kept, MACHINE)[0]).toMatchObject({
    kept: { commit: 'a' },
    verdict: 'same',
  })
  expect(comparedRatios([measured], kept, 'a third')[0]).toMatchObject({
    kept: { commit: 'b' },
    verdict: 'worse',
  })
  // A fifth less than on another machine may be the machine.
  const elsewhere = [{ ...measured, ratio: 1.2, commit: 'b', machine: 'another' }]
  expect(comparedRatios([measured], elsewhere, MACHINE)[0]?.verdict).toBe('same')
  expect(comparedRatios([measured], [], MACHINE)[0]).toMatchObject({ kept: null, verdict: 'new' })
})

test('the section shows the curve of each row', () => {
  const of = (commit: string) => ({ commit, machine: MACHINE })
  let text = ''
  for (const [commit, ratio] of Object.entries({ a: 1, b: 2, c: 1.5 }))
    text = historyText(text, measuredRatios(rounds([ratio])), of(commit))
  expect(historySection(keptRatios(text))).toContain('| a read | 3 | 1.00 | 2.00 | 1.50 | ▁█▅ |')
})
