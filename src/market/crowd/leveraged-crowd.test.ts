import { describe, expect, test } from 'bun:test'
import { randomSource } from '../../random/random-source.ts'
import {
  type ClosedShares,
  crowdAfter,
  crowdAlong,
  fearAfter,
  LeveragedCrowd,
  noteFear,
} from './leveraged-crowd.ts'

const MINUTES = 2000
const random = randomSource(3, 'path')
const logs: number[] = [0]
for (let minute = 1; minute < MINUTES; minute++)
  logs.push((logs[minute - 1] as number) + 0.0006 * random.normal())
const start = crowdAfter(logs, 40)

/** Moves the price by a fraction, in parts. */
function moved(pct: number, parts: number) {
  const crowd = new LeveragedCrowd(structuredClone(start), 40)
  const sums: ClosedShares = { long: 0, short: 0, longStops: 0, shortStops: 0 }
  for (let part = 1; part <= parts; part++) {
    const closed = crowd.move(start.log + (Math.log1p(pct / 100) * part) / parts)
    for (const name of ['long', 'short', 'longStops', 'shortStops'] as const)
      sums[name] += closed[name]
  }
  return { ...sums, removed: 1 - crowd.held / start.held, crowd }
}

test('a fall removes a part of the open interest, a deeper one far more', () => {
  const [fast, deep] = [moved(-5, 40), moved(-15, 40)]
  expect(fast.removed).toBeWithin(0.01, 0.07)
  expect(deep.removed).toBeWithin(0.1, 0.3)
  expect(deep.long).toBeGreaterThan(3 * fast.long)
  for (const { long, short, shortStops } of [fast, deep]) {
    expect(long).toBeGreaterThan(0)
    expect(short + shortStops).toBe(0)
  }
})

test('a rise closes shorts, and no longs', () => {
  const { long, longStops, short, removed } = moved(5, 40)
  expect(long + longStops).toBe(0)
  expect(short).toBeGreaterThan(0)
  expect(removed).toBeWithin(0.01, 0.07)
})

test('how finely a move is cut hardly matters, and a price seen again finds nothing', () => {
  expect(moved(-8, 1000).long / moved(-8, 60).long).toBeWithin(0.9, 1.1)
  const { crowd } = moved(-8, 8)
  crowd.move(start.log)
  const again = crowd.move(start.log + Math.log1p(-0.06))
  expect(again.long).toBeLessThan(0.25 * moved(-6, 8).long)
})

test('open interest returns as positions are opened again', () => {
  const { crowd } = moved(-15, 8)
  const low = crowd.held
  crowd.turn(0.5)
  expect(crowd.held).toBeGreaterThan(low + 0.4 * (1 - low))
  crowd.turn(1)
  expect(crowd.held).toBeCloseTo(1, 9)
  expect(crowd.lost.long).toBe(0)
})

test('moves of hundreds of percent leave an empty and a whole crowd', () => {
  for (const pct of [-95, 900]) {
    const { crowd, removed } = moved(pct, 500)
    expect(removed).toBeWithin(0.5, 1)
    crowd.turn(1)
    expect(crowd.held).toBeCloseTo(1, 9)
  }
})

test('the crash of a past is seen in its open interest', () => {
  const returns = new Float64Array(4000)
  for (let at = 2000; at < 2015; at++) returns[at] = Math.log1p(-0.15) / 15
  const { held, imbalance } = crowdAlong(returns, 40)
  expect(held[1999]).toBeCloseTo(1, 3)
  expect(held[2016]).toBeWithin(0.7, 0.9)
  expect(held[3999] as number).toBeGreaterThan(held[2016] as number)
  // Its longs were liquidated; within hours they are forgotten.
  expect(imbalance[1999]).toBeCloseTo(0, 3)
  expect(imbalance[2016]).toBeWithin(-0.35, -0.08)
  expect(imbalance[3999]).toBeWithin(0.75 * (imbalance[2016] as number), 0)
})

describe('fear', () => {
  const SIGMA = 0.0001
  test('it is complete in a crash, halves in minutes, and is absent in usual moves', () => {
    expect(fearAfter(logs.slice(-30), 0.0006 / Math.sqrt(60)).fear).toBe(0)
    const state = { mean: 0, fear: 0 }
    for (let at = 1; at <= 40; at++) noteFear(state, -0.001 * at, 3, SIGMA)
    expect(state.fear).toBe(1)
    for (let at = 0; at < 100; at++) noteFear(state, -0.04, 3, SIGMA)
    expect(state.fear).toBeWithin(0.15, 0.5)
  })
})
