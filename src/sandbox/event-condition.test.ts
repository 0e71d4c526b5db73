import { expect, test } from 'bun:test'
import { parseEventCondition } from './event-condition.ts'

const matches = (text: string, fields: Record<string, string | number>) =>
  parseEventCondition(text)(fields)

test('numbers are compared as numbers, texts as they are', () => {
  expect(matches('px > 62000', { px: '62000.5' })).toBe(true)
  expect(matches('px > 62000', { px: '9' })).toBe(false)
  expect(matches('px == 5', { px: '5.0' })).toBe(true)
  expect(matches('coin == BTC', { coin: 'BTC' })).toBe(true)
  expect(matches('coin != "PURR/USDC"', { coin: 'PURR/USDC' })).toBe(false)
  expect(matches('coin > 5', { coin: 'BTC' })).toBe(false)
})

test('and binds closer than or; parentheses bind closest', () => {
  const fields = { a: 1, b: 2, c: 3 }
  expect(matches('a == 1 or b == 9 and c == 9', fields)).toBe(true)
  expect(matches('(a == 1 or b == 9) and c == 9', fields)).toBe(false)
})

test('a field that is not there matches nothing', () => {
  expect(matches('px > 0 or px <= 0 or px != 1', {})).toBe(false)
})

test.each([
  ['', 'the name of a field is missing, at letter 1'],
  ['coin', 'is missing, at letter 5'],
  ['coin = BTC', 'this cannot be read, at letter 5'],
  ['coin BTC', '"BTC" is no operator, use one of == != < <= > >=, at letter 5'],
  ['coin == BTC and', 'the name of a field is missing'],
  ['(coin == BTC', 'a ")" is missing'],
  ['coin == BTC px > 1', '"px" is one too many, at letter 12'],
])('what cannot be parsed is refused with its place: %s', (text, message) => {
  expect(() => parseEventCondition(text)).toThrow(message)
})
