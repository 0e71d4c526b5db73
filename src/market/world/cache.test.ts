import { expect, test } from 'bun:test'
import { Cache } from './cache.ts'

test('a value is made once, null too', () => {
  const cache = new Cache<number, string | null>(10)
  let made = 0
  const make = (key: number) => {
    made++
    return key === 0 ? null : `${key}`
  }
  expect([cache.get(1, make), cache.get(1, make), made]).toEqual(['1', '1', 1])
  expect([cache.get(0, make), cache.get(0, make), made]).toEqual([null, null, 2])
  expect(cache.find(2)).toBeUndefined()
})

test('beyond the weight limit the least recently used one is evicted', () => {
  const cache = new Cache<string, number[]>(6, ({ length }) => length)
  cache.put('a', [1, 2, 3])
  cache.put('b', [1, 2])
  cache.find('a')
  cache.put('c', [1, 2])
  expect(['a', 'b', 'c'].map((key) => cache.find(key)?.length)).toEqual([3, undefined, 2])
})

test('a weightless value counts as one, and an overweight one is returned uncached', () => {
  const cache = new Cache<number, number[]>(2, ({ length }) => length)
  for (let key = 0; key < 3; key++) cache.put(key, [])
  expect([0, 1, 2].map((key) => cache.find(key))).toEqual([undefined, [], []])
  expect(cache.get(3, () => [1, 2, 3])).toEqual([1, 2, 3])
  expect(cache.find(3)).toBeUndefined()
})

test('a replaced value leaves no weight behind', () => {
  const cache = new Cache<number, number[]>(4, ({ length }) => length)
  for (let turn = 0; turn < 9; turn++) cache.put(0, [1, 2])
  cache.put(1, [1, 2])
  expect(cache.find(0)).toEqual([1, 2])
})

test('a grown value has its new weight', () => {
  const cache = new Cache<string, number[]>(4, ({ length }) => length)
  const growing = cache.put('a', [1])
  cache.put('b', [1])
  growing.push(2, 3)
  cache.reweigh('a')
  cache.put('c', [1])
  expect(['a', 'b', 'c'].map((key) => cache.find(key)?.length)).toEqual([3, undefined, 1])
  cache.reweigh('d')
  expect(cache.find('d')).toBeUndefined()
})
