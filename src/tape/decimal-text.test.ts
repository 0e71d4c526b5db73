import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { canonicalDecimal, decimalPlaces, isZero, signedDecimalPlaces } from './decimal-text.ts'

test('decimals are counted', () => {
  const counts = ['0', '7', '10', '0.5', '0.00012', '105055.0', '123456789012345']
  expect(counts.map(decimalPlaces)).toEqual([0, 0, 0, 1, 5, 1, 0])
})

test('anything but a plain decimal is refused', () => {
  const wrong = ['', '.', '.5', '5.', '1e3', '+1', '-1', ' 1', '01', '1.2.3', '1,5', 'NaN']
  for (const text of [...wrong, '1234567890123456', '12345678.12345678', 5, null, undefined])
    expect([text, decimalPlaces(text)]).toEqual([text, -1])
})

test('a minus sign is accepted where it is valid', () => {
  expect(['-0.25', '0.25', '--1', '-', 3].map(signedDecimalPlaces)).toEqual([2, 2, -1, -1, -1])
})

test('needless zeros are removed and the number stays', () => {
  const texts = ['105055.0', '0.000', '00.50', '100', '0', '0.10', '00']
  expect(texts.map(canonicalDecimal)).toEqual(['105055', '0', '0.5', '100', '0', '0.1', '0'])
  fc.assert(
    fc.property(fc.nat(), fc.nat({ max: 99999 }), (whole, part) => {
      const text = `${whole}.${String(part).padStart(5, '0')}`
      expect(Number(canonicalDecimal(text))).toBe(Number(text))
      expect(canonicalDecimal(canonicalDecimal(text))).toBe(canonicalDecimal(text))
      expect(isZero(text)).toBe(Number(text) === 0)
    }),
  )
})
