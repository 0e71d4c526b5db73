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

test('a missing field matches nothing', () => {
  expect(matches('px > 0 or px <= 0 or px != 1', {})).toBe(false)
  expect(matches('toString != 1 or constructor != 1', {})).toBe(false)
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

test('redundant parentheses are removed, up to the bound', () => {
  const wrapped = (depth: number) => `${'('.repeat(depth)}px > 1${')'.repeat(depth)}`
  expect(matches(wrapped(16), { px: 2 })).toBe(true)
  expect(matches(`${wrapped(16)} and (${wrapped(15)} or px < 0)`, { px: 2 })).toBe(true)
  expect(() => parseEventCondition(wrapped(490))).toThrow(
    'at most 16 parentheses within one another, not 490',
  )
})

test('comparisons and letters of a condition are bounded', () => {
  const of = (count: number) => Array.from({ length: count }, () => 'px<1').join(' or ')
  expect(matches(of(64), { px: 0 })).toBe(true)
  expect(() => parseEventCondition(of(65))).toThrow('at most 64 comparisons, not 65')
  expect(() => parseEventCondition(`px < ${'1'.repeat(1_000)}`)).toThrow(
    'a condition has at most 1000 letters, this one 1005',
  )
})

test('an operator in quotes is part of a value', () => {
  expect(matches('side == "("', { side: '(' })).toBe(true)
  expect(matches('side != ">" and side != "or"', { side: 'B' })).toBe(true)
})
