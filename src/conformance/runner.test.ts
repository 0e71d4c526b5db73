import { expect, test } from 'bun:test'
import { shortened } from './runner.ts'

const lengthOf = (value: unknown) => JSON.stringify(shortened(value)).length

test('short values are kept unchanged', () => {
  const value = { expected: [1, null, 'x'], found: { a: undefined, b: true } }
  expect(shortened(value)).toEqual(value)
  expect(shortened(undefined)).toBe(undefined)
})

test('the beginning of a long text, list or object is kept, with a mark', () => {
  const text = 'x'.repeat(8_000_000)
  expect(lengthOf(text)).toBeLessThan(110_000)
  expect(shortened(text)).toEndWith('… (8000000 characters)')
  expect(lengthOf({ text, json: Array.from({ length: 100_000 }, () => text) })).toBeLessThan(
    120_000,
  )
  expect(shortened(Array(100_000).fill(7))).toContain('… (87500 more)')
  const wide = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`name${at}`, at]))
  expect(lengthOf(wide)).toBeLessThan(200_000)
})
