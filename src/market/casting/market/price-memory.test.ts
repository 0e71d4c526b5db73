import { expect, test } from 'bun:test'
import { randomSource } from '../../../random/random-source.ts'
import { PriceMemory } from './market-state.ts'

test('returns are those of the last minutes, and of nothing before it remembers', () => {
  const memory = new PriceMemory(0.02)
  expect(memory.returnOver(5, 100)).toBe(0)
  for (const px of [100, 110, 121]) memory.add(px)
  expect(memory.returnOver(1, 121)).toBeCloseTo(0)
  expect(memory.returnOver(2, 121)).toBeCloseTo(Math.log(1.1))
  expect(memory.returnOver(100, 121)).toBeCloseTo(Math.log(1.21))
})

test('the deviation starts at the expected one and then follows prices', () => {
  const memory = new PriceMemory(0.04)
  expect(memory.deviation(86_400_000)).toBeCloseTo(0.04)
  const random = randomSource(1, 'memory')
  let px = 1e6
  for (let minute = 0; minute < 6_000; minute++) {
    px *= Math.exp(0.0005 * random.normal())
    memory.add(px)
  }
  const deviation = memory.deviation(60_000)
  expect(deviation).toBeGreaterThan(0.0004)
  expect(deviation).toBeLessThan(0.0006)
  expect(memory.deviation(240_000)).toBeCloseTo(2 * deviation)
})
