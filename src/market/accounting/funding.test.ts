import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  add,
  type FundingIndex,
  fundingIndex,
  px,
  rate,
  raw,
  subtract,
  sum,
  sz,
  type Usd,
  usd,
  ZERO,
} from '../../decimal/quantity.ts'
import { fundingBetween, fundingDecimalsFor, indexStep } from './funding.ts'

const BTC = { pxDecimals: 1, szDecimals: 5, fundingDecimals: 11 }

test('an hour costs size x price x rate', () => {
  const step = indexStep(rate(125_000), px(964_120), BTC)
  // 2 BTC at 96,412 and 0.00125 %: 2.4103 dollars.
  expect(fundingBetween(sz(200_000), ZERO, step, BTC)).toBe(usd(2_410_300))
  expect(fundingBetween(sz(-200_000), ZERO, step, BTC)).toBe(usd(-2_410_300))
  expect(fundingBetween(sz(200_000), step, step, BTC)).toBe(usd(0))
})

test('the index keeps every digit of rate x price where there is room', () => {
  expect(fundingDecimalsFor(px(964_120), 1, 5)).toBe(11)
  expect(fundingDecimalsFor(px(5_930), 6, 0)).toBe(15)
  expect(fundingDecimalsFor(px(10_500_000_000_000), 8, 3)).toBeGreaterThanOrEqual(6)
})

test('paying hour by hour and all at once differ by less than a micro-dollar an hour', () => {
  const steps = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 48 })
  fc.assert(
    fc.property(fc.integer({ min: -1e8, max: 1e8 }), steps, (size, rates) => {
      let [index, paid]: [FundingIndex, Usd] = [ZERO, ZERO]
      for (const one of rates) {
        const next = add(index, indexStep(rate(one), px(964_120), BTC))
        paid = add(paid, fundingBetween(sz(size), index, next, BTC))
        index = next
      }
      const atOnce = fundingBetween(sz(size), ZERO, index, BTC)
      expect(Math.abs(raw(subtract(paid, atOnce)))).toBeLessThanOrEqual(rates.length)
    }),
  )
})

test('positions that sum to zero pay each other, within half a micro-dollar each', () => {
  const sizes = fc.array(fc.integer({ min: -1e7, max: 1e7 }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 1e12 }), (list, to) => {
      const all = [...list, -list.reduce((a, b) => a + b, 0)]
      const paid = all.map((size) => fundingBetween(sz(size), ZERO, fundingIndex(to), BTC))
      expect(Math.abs(raw(sum(paid)))).toBeLessThanOrEqual(all.length / 2)
    }),
  )
})
