import { expect, test } from 'bun:test'
import { Exact } from './exact.ts'

const exact = (text: string | number) => Exact.of(text)

test('sums and products keep every digit', () => {
  expect(exact('0.1').plus(exact('0.2')).toString()).toBe('0.3')
  expect(exact('123456789012345678.9').times(exact('-0.00000001')).toString()).toBe(
    '-1234567890.123456789',
  )
  expect(exact('1').minus(exact('1.000000000000000001')).toString()).toBe('-0.000000000000000001')
  expect(Exact.sum(['-0.5', '0.25', '0.25'].map(exact)).toString()).toBe('0')
  expect(exact('-7.50').absolute().toString()).toBe('7.5')
})

test('numbers are compared however many decimals they have', () => {
  expect(exact('1.5').isAtMost(exact('1.50'))).toBe(true)
  expect(exact('1.500001').isAtMost(exact('1.5'))).toBe(false)
  expect(exact(-2).isAtMost(exact('0.1'))).toBe(true)
})

test('what is no decimal number is refused', () => {
  for (const text of ['', '1e5', 'NaN', '1.', '.5', '--1']) expect(() => exact(text)).toThrow()
})
