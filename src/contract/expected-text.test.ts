import { expect, test } from 'bun:test'
import { expectedText } from './expected-text.ts'
import { OneOf, Type } from './schema.ts'

test('allowed values are listed in one form, as words or as numbers', () => {
  expect(expectedText(OneOf(['cn', 'en'], ''))).toBe('one of cn, en')
  expect(expectedText(Type.Integer({ minimum: 1, maximum: 2 }))).toBe('one of 1, 2')
  expect(expectedText(Type.Integer({ minimum: 2, maximum: 5 }))).toBe('a whole number from 2 to 5')
})
