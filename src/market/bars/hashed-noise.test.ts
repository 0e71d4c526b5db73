import { expect, test } from 'bun:test'
import { countAt, normalAt, pathAt, unitAt } from '../synth/distributions.ts'

const places = Array.from({ length: 20_000 }, (_, at) => at)
const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / list.length
const variance = (list: number[]) => mean(list.map((one) => one ** 2)) - mean(list) ** 2

test('draws have their stated mean and variance', () => {
  for (const salt of [1, -77, 0x7fffffff]) {
    const units = places.map((at) => unitAt(salt, at))
    expect(mean(units)).toBeCloseTo(0.5, 1)
    expect(variance(units) * 12).toBeCloseTo(1, 1)
    const normals = places.map((at) => normalAt(salt, at))
    expect(Math.abs(mean(normals))).toBeLessThan(0.03)
    expect(Math.abs(variance(normals) - 1)).toBeLessThan(0.05)
    const path = places.map((at) => pathAt(salt, 10_000, at * 1700))
    expect(Math.abs(variance(path) - 1)).toBeLessThan(0.1)
    for (const expected of [0.2, 3, 60]) {
      const counts = places.map((at) => countAt(salt, at, expected))
      expect(mean(counts) / expected).toBeCloseTo(1, 1)
      expect(variance(counts) / expected).toBeCloseTo(1, 0)
    }
  }
})

test('neighbours and other salts are independent', () => {
  const of = (salt: number) => places.map((at) => normalAt(salt, 1e12 / 60 + at))
  const [one, other] = [of(5), of(6)]
  const correlation = (a: number[], b: number[]) =>
    mean(a.map((value, at) => value * (b[at] as number))) - mean(a) * mean(b)
  expect(Math.abs(correlation(one, other))).toBeLessThan(0.03)
  expect(Math.abs(correlation(one.slice(1), one))).toBeLessThan(0.03)
})

test('a path is correlated over short times and not over several periods', () => {
  const at = (offset: number) => places.map((place) => pathAt(9, 1000, place * 3331 + offset))
  const [near, half, far] = [100, 660, 3000].map((offset) => {
    const [now, then] = [at(0), at(offset)]
    return mean(now.map((value, place) => value * (then[place] as number)))
  }) as [number, number, number]
  expect(near).toBeGreaterThan(0.9)
  expect(half).toBeGreaterThan(0.3)
  expect(half).toBeLessThan(0.7)
  expect(Math.abs(far)).toBeLessThan(0.05)
})
