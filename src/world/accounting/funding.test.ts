import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { fundingBetween, fundingDecimalsFor, indexStep } from './funding.ts'

const BTC = { pxDecimals: 1, szDecimals: 5, fundingDecimals: 11 }

test('an hour costs size x price x rate', () => {
  const step = indexStep(125_000, 964_120, BTC)
  // 2 BTC at 96,412 and 0.00125 %: 2.4103 dollars.
  expect(fundingBetween(200_000, 0, step, BTC)).toBe(2_410_300)
  expect(fundingBetween(-200_000, 0, step, BTC)).toBe(-2_410_300)
  expect(fundingBetween(200_000, step, step, BTC)).toBe(0)
})

test('the index keeps every digit of rate x price where there is room', () => {
  expect(fundingDecimalsFor(964_120, 1, 5)).toBe(11)
  expect(fundingDecimalsFor(5_930, 6, 0)).toBe(15)
  expect(fundingDecimalsFor(10_500_000_000_000, 8, 3)).toBeGreaterThanOrEqual(6)
})

test('paying hour by hour and all at once differ by less than a micro-dollar an hour', () => {
  const steps = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 48 })
  fc.assert(
    fc.property(fc.integer({ min: -1e8, max: 1e8 }), steps, (sz, rates) => {
      let [index, paid] = [0, 0]
      for (const rate of rates) {
        const next = index + indexStep(rate, 964_120, BTC)
        paid += fundingBetween(sz, index, next, BTC)
        index = next
      }
      expect(Math.abs(paid - fundingBetween(sz, 0, index, BTC))).toBeLessThanOrEqual(rates.length)
    }),
  )
})

test('positions that sum to zero pay each other, within half a micro-dollar each', () => {
  const sizes = fc.array(fc.integer({ min: -1e7, max: 1e7 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1e12 }), (list, to) => {
      const all = [...list, -list.reduce((a, b) => a + b, 0)]
      const sum = all.reduce((total, sz) => total + fundingBetween(sz, 0, to, BTC), 0)
      expect(Math.abs(sum)).toBeLessThanOrEqual(all.length / 2)
    }),
  )
})
