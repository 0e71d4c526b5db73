/** The detection of growth: a leak under a sawtooth is one, the sawtooth alone is not. */
import { expect, test } from 'bun:test'
import { Latencies, p99 } from '../../bench/isolation/latencies.ts'
import { type Point, trendOf } from '../../bench/soak/trend.ts'
import { randomSource } from '../../src/random/random-source.ts'

const RULE = { share: 0.05, amount: 2 }
const MINUTES = 60

/** A sample each minute. */
const series = (of: (minute: number) => number): Point[] =>
  Array.from({ length: MINUTES }, (_, minute) => ({ minute, value: of(minute) }))

/** Rises for seven minutes, then falls at once. */
const sawtooth = (minute: number) => 100 + (minute % 7) * 8

const verdictOf = (points: Point[]) => trendOf(points, RULE).verdict

test('a sawtooth is steady, wherever it is cut off', () => {
  for (let cut = 0; cut < 7; cut++) {
    const points = series(sawtooth)
    expect(verdictOf(points.slice(0, MINUTES - cut))).toBe('steady')
    expect(verdictOf(points.slice(cut))).toBe('steady')
  }
})

test('a leak beneath a sawtooth grows, a sawtooth that shrinks does not', () => {
  expect(verdictOf(series((minute) => sawtooth(minute) + minute * 0.7))).toBe('grows')
  expect(verdictOf(series((minute) => sawtooth(minute) - minute * 0.7))).toBe('steady')
})

test('noise is steady, and a leak in it is found', () => {
  const random = randomSource(3, 'noise')
  const noise = () => random.normal() * 5
  expect(verdictOf(series(() => 100 + noise()))).toBe('steady')
  expect(verdictOf(series((minute) => 100 + minute * 0.4 + noise()))).toBe('grows')
})

test('a warm-up and a few peaks are no growth', () => {
  expect(verdictOf(series((minute) => (minute < 12 ? 50 + minute * 4 : 98)))).toBe('steady')
  expect(verdictOf(series((minute) => (minute % 11 === 5 ? 500 : 100)))).toBe('steady')
})

test('growth that is certain but too small to matter is steady', () => {
  expect(verdictOf(series((minute) => 100 + minute * 0.02))).toBe('steady')
  const { slope, growth } = trendOf(
    series((minute) => 100 + minute),
    RULE,
  )
  expect([slope, growth]).toEqual([1, 44])
})

test('a few samples have no result', () => {
  expect(verdictOf(series((minute) => minute * 9).slice(0, 12))).toBe('too short to tell')
})

test('a read that waits a second counts as all reads that were due in it', () => {
  const latencies = new Latencies(100)
  latencies.add(1_000)
  expect(latencies.listMs).toEqual([1000, 900, 800, 700, 600, 500, 400, 300, 200, 100])
  latencies.add(40)
  expect(latencies.listMs.at(-1)).toBe(40)
  expect(p99(Array.from({ length: 200 }, (_, at) => at + 1))).toBe(198)
})
