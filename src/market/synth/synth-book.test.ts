import { expect, test } from 'bun:test'
import { emptyBook, SynthBook } from './order-matching.ts'

function book(): SynthBook {
  const synthBook = new SynthBook(emptyBook())
  for (let i = 0; i < 20; i++) {
    synthBook.put('asks', { tick: 101 + 2 * i, lots: 10, orders: 2 })
    synthBook.put('bids', { tick: 100 - 2 * i, lots: 10, orders: 2 })
  }
  synthBook.changes()
  return synthBook
}

test('a taker takes the best levels first and leaves the rest of the last one', () => {
  const synthBook = book()
  expect(synthBook.take('asks', 25).map(({ tick, lots }) => [tick, lots])).toEqual([
    [101, 10],
    [103, 10],
    [105, 5],
  ])
  expect(synthBook.level('asks', 0)).toEqual({ tick: 105, lots: 5, orders: 1 })
  expect(synthBook.changes()).toEqual({
    bids: [],
    asks: [
      { tick: 101, lots: 0, orders: 0 },
      { tick: 103, lots: 0, orders: 0 },
      { tick: 105, lots: 5, orders: 1 },
    ],
  })
  expect(synthBook.changes()).toBeNull()
})

test('levels are ordered from the touch outward in whatever order they are put', () => {
  const synthBook = new SynthBook(emptyBook())
  for (const tick of [50, 47, 49, 44, 48]) synthBook.put('bids', { tick, lots: 1, orders: 1 })
  for (const tick of [60, 63, 61, 66, 62]) synthBook.put('asks', { tick, lots: 1, orders: 1 })
  const { bids, asks } = synthBook.levels()
  expect(bids.map(({ tick }) => tick)).toEqual([50, 49, 48, 47, 44])
  expect(asks.map(({ tick }) => tick)).toEqual([60, 61, 62, 63, 66])
})

test('a level is found by its tick and counted by its price, near the touch and far away', () => {
  const synthBook = book()
  for (let i = 0; i < 20; i++) {
    expect(synthBook.levelAt('asks', 101 + 2 * i)?.lots).toBe(10)
    expect(synthBook.levelAt('bids', 101 + 2 * i)).toBeUndefined()
    expect(synthBook.levelsUpTo('bids', 100.5 - 2 * i)).toBe(i)
    expect(synthBook.levelsUpTo('asks', 101 + 2 * i)).toBe(i + 1)
  }
  synthBook.put('asks', { tick: 121, lots: 0, orders: 0 })
  expect(synthBook.levelAt('asks', 121)).toBeUndefined()
  expect(synthBook.count('asks')).toBe(19)
})

test('a level that would cross the book is refused', () => {
  const synthBook = book()
  expect(() => synthBook.put('bids', { tick: 101, lots: 1, orders: 1 })).toThrow('cross')
  expect(() => synthBook.put('asks', { tick: 100, lots: 1, orders: 1 })).toThrow('cross')
})

test('the last ten levels are out of reach', () => {
  const synthBook = book()
  expect(synthBook.sizeWithin('bids', 3)).toBe(30)
  expect(synthBook.sizeWithin('bids', 1000)).toBe(100)
  synthBook.take('bids', 100)
  expect(synthBook.isThin('bids')).toBe(true)
})
