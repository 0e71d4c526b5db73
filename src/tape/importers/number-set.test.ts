import { expect, test } from 'bun:test'
import { NumberSet } from './trade-ids.ts'

test('it contains each added number once, however large and however many', () => {
  const set = new NumberSet()
  const known = new Set<number>()
  let value = 1
  for (let i = 0; i < 20_000; i++) {
    value = (value * 48_271) % 0x7fffffff
    const number = i % 3 === 0 ? value * 0x3fffff : value % 5_000
    expect(set.has(number)).toBe(known.has(number))
    expect(set.add(number)).toBe(!known.has(number))
    known.add(number)
  }
  expect(set.size).toBe(known.size)
  expect([...known].every((number) => set.has(number))).toBe(true)
})
