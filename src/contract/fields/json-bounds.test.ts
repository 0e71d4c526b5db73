import { expect, test } from 'bun:test'
import { jsonBoundFlaw } from './json-bounds.ts'

const BOUNDS = { depth: 3, elements: 10, textLength: 5 }
const flaw = (value: unknown) => jsonBoundFlaw(JSON.stringify(value), BOUNDS)

test('a text within the bounds has no flaw', () => {
  for (const value of [null, 1, '12345', [[[1]]], { a: { b: { c: 1 } } }, Array(10).fill(1)])
    expect(flaw(value)).toBeNull()
})

test('depth, elements and texts are bounded, each by name', () => {
  expect(flaw([[[[1]]]])).toBe('has lists or objects inside one another, at most 3 deep')
  expect(flaw(Array(11).fill(1))).toBe('has more than 10 elements')
  expect(flaw({ a: [1, 2, 3, 4], b: [1, 2, 3, 4, 5] })).toBe('has more than 10 elements')
  expect(flaw(['123456'])).toBe('has a text of 6 characters, at most 5')
  expect(flaw({ longer: 1 })).toBe('has a text of 6 characters, at most 5')
})

test('brackets, commas and escaped quotes inside of texts count as text', () => {
  for (const text of ['[[[[[', ',,,,,', '"', '\\', '\\"', 'a"b'])
    expect(flaw([text, text, text])).toBeNull()
  expect(jsonBoundFlaw('["\\\\","\\\\\\"",1]', BOUNDS)).toBeNull()
})

test('invalid JSON is left to the parser', () => {
  for (const text of ['', '"abc', ']]]]', '{"a"', 'no'])
    expect(jsonBoundFlaw(text, BOUNDS)).toBeNull()
})
