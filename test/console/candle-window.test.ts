import { expect, test } from 'bun:test'
import {
  type Bar,
  CandleWindow,
  rangeWith,
} from '../../src/pages/console/views/market/candle-window.ts'

const bars = (from: number, count: number): Bar[] =>
  Array.from({ length: count }, (_, at) => bar(from + at))
const bar = (time: number, close = 1): Bar => {
  return { time, open: 1, high: 2, low: 0, close, volume: 3 }
}
const times = (window: CandleWindow) => window.bars.map(({ time }) => time)

test('the range of a day has its newest price in it', () => {
  const day = { high: 98_000, low: 93_676 }
  expect(rangeWith(day, 93_540)).toEqual({ high: 98_000, low: 93_540 })
  expect(rangeWith(day, 98_100)).toEqual({ high: 98_100, low: 93_676 })
  expect(rangeWith(day, 95_000)).toEqual(day)
})

test('a pushed candle changes the last one or is new; an older one is neither', () => {
  const window = new CandleWindow(10, 1)
  window.replace(bars(0, 3))
  expect(window.push(bar(2, 9))).toBe('changed')
  expect(window.bars.at(-1)?.close).toBe(9)
  expect(window.push(bar(5))).toBe('added')
  expect(window.push(bar(4))).toBeNull()
  expect(times(window)).toEqual([0, 1, 2, 5])
})

test('missed pushes are filled in, and newer candles stay', () => {
  const window = new CandleWindow(10, 1)
  window.replace(bars(0, 3))
  window.push(bar(6))
  window.addNewer(bars(2, 3), true)
  expect(times(window)).toEqual([0, 1, 2, 3, 4, 6])
})

test('the window is bounded: older pages evict the newest, and then pushes are ignored', () => {
  const window = new CandleWindow(5, 1)
  window.replace(bars(10, 4))
  window.addOlder(bars(6, 5))
  expect(times(window)).toEqual([6, 7, 8, 9, 10])
  expect(window.isAtPresent).toBe(false)
  expect(window.push(bar(14))).toBeNull()
  window.addNewer(bars(10, 4), true)
  expect(times(window)).toEqual([9, 10, 11, 12, 13])
  expect(window.push(bar(14))).toBe('added')
  expect(times(window)).toEqual([10, 11, 12, 13, 14])
})

test('intervals without trades are flat, wherever they lie, but for a long stretch', () => {
  const minutes = new CandleWindow(5000, 60)
  minutes.replace([bar(600, 4), bar(780, 5)])
  const flat = { open: 4, high: 4, low: 4, close: 4, volume: 0 }
  expect(minutes.bars.slice(1, 3)).toEqual([
    { time: 660, ...flat },
    { time: 720, ...flat },
  ])
  minutes.addOlder([bar(420, 3)])
  expect(times(minutes)).toEqual([420, 480, 540, 600, 660, 720, 780])
  minutes.push(bar(960))
  expect(times(minutes).slice(-2)).toEqual([780, 960])
  minutes.addNewer([bar(960)], true)
  expect(times(minutes).slice(-4)).toEqual([780, 840, 900, 960])
  minutes.addNewer([bar(120_000)], true)
  expect(times(minutes).slice(-2)).toEqual([960, 120_000])
})
