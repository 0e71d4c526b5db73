import { expect, test } from 'bun:test'
import { Shelves } from './shelves.ts'

function book(): Shelves {
  const shelves = new Shelves()
  for (let i = 0; i < 20; i++) {
    shelves.put('asks', { rung: 101 + 2 * i, lots: 10, orders: 2 })
    shelves.put('bids', { rung: 100 - 2 * i, lots: 10, orders: 2 })
  }
  shelves.changes()
  return shelves
}

test('a taker eats the best levels first and leaves the rest of the last one', () => {
  const shelves = book()
  expect(shelves.take('asks', 25).map(({ rung, lots }) => [rung, lots])).toEqual([
    [101, 10],
    [103, 10],
    [105, 5],
  ])
  expect(shelves.asks[0]).toEqual({ rung: 105, lots: 5, orders: 1 })
  expect(shelves.changes()).toEqual({
    bids: [],
    asks: [
      { rung: 101, lots: 0, orders: 0 },
      { rung: 103, lots: 0, orders: 0 },
      { rung: 105, lots: 5, orders: 1 },
    ],
  })
  expect(shelves.changes()).toBeNull()
})

test('levels stand from the touch outward in whatever order they are put', () => {
  const shelves = new Shelves()
  for (const rung of [50, 47, 49, 44, 48]) shelves.put('bids', { rung, lots: 1, orders: 1 })
  expect(shelves.bids.map(({ rung }) => rung)).toEqual([50, 49, 48, 47, 44])
})

test('a level that would cross the book is refused', () => {
  const shelves = book()
  expect(() => shelves.put('bids', { rung: 101, lots: 1, orders: 1 })).toThrow('cross')
  expect(() => shelves.put('asks', { rung: 100, lots: 1, orders: 1 })).toThrow('cross')
})

test('the last ten levels are out of reach', () => {
  const shelves = book()
  expect(shelves.standing('bids', 3)).toBe(30)
  expect(shelves.standing('bids', 1000)).toBe(100)
  shelves.take('bids', 100)
  expect(shelves.thin('bids')).toBe(true)
})
