import { expect, test } from 'bun:test'
import type { InputEvent } from './tape-input.ts'
import { TapeGaps } from './tape-input.ts'

const at = (time: number): InputEvent => {
  return { time, seq: time, kind: 'exchange', coin: '', data: {} }
}

test('gaps of a tape are silences and reported ones, each once', () => {
  const counts = { exchange: 10_000 }
  const gaps = new TapeGaps({ source: '', instruments: [], startMs: 0, endMs: 90_000, counts })
  for (const time of [0, 1_000, 9_000, 30_000]) gaps.observe(at(time))
  const data = { fromMs: 31_000, why: 'the disk was full' }
  gaps.observe({ time: 50_000, seq: 50_000, kind: 'gap', coin: '', data })
  for (const time of [51_000, 60_999, 80_000]) gaps.observe(at(time))
  expect(gaps.result()).toEqual([
    { fromMs: 9_000, toMs: 30_000, why: 'nothing was recorded' },
    { fromMs: 31_000, toMs: 50_000, why: 'the disk was full' },
    { fromMs: 60_999, toMs: 80_000, why: 'nothing was recorded' },
    { fromMs: 80_000, toMs: 90_000, why: 'nothing was recorded' },
  ])
})
