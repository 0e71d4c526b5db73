import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { format } from './quantity.ts'

/** The same, digit by digit. */
function written(value: number, scale: number, minDecimals: number): string {
  const unit = 10n ** BigInt(scale)
  const digits = BigInt(Math.abs(value))
  let fraction = scale === 0 ? '' : (digits % unit).toString().padStart(scale, '0')
  while (fraction.length > minDecimals && fraction.endsWith('0')) fraction = fraction.slice(0, -1)
  fraction = fraction.padEnd(minDecimals, '0')
  return `${value < 0 ? '-' : ''}${digits / unit}${fraction === '' ? '' : `.${fraction}`}`
}

test('a number is written with all of its digits and none that it does not have', () => {
  const largest = fc.integer({ min: 0, max: 53 }).map((bits) => 2 ** bits - 1)
  const value = fc.tuple(largest, fc.double({ min: -1, max: 1, noNaN: true }))
  fc.assert(
    fc.property(value, fc.nat(15), fc.nat(3), ([most, part], scale, minDecimals) => {
      const number = Math.trunc(most * part) + 0
      expect(format(number, scale, minDecimals)).toBe(written(number, scale, minDecimals))
    }),
  )
  for (const edge of [0, 1, 10, 1e15 - 1, 1e15, 1e15 + 1, Number.MAX_SAFE_INTEGER])
    for (const scale of [0, 1, 6, 7, 15])
      for (const minDecimals of [0, 1, 2])
        for (const number of [edge, -edge])
          expect(format(number, scale, minDecimals)).toBe(written(number, scale, minDecimals))
})

test('what is no whole number, or too large to be exact, is not written', () => {
  for (const value of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
    for (const scale of [0, 6, 10]) expect(() => format(value, scale, 1)).toThrow(RangeError)
})
