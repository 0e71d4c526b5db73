import { expect, test } from 'bun:test'
import { FairPrice, newFairPrice } from './fair-price.ts'
import { INSTRUMENT_PROFILES, type InstrumentProfile } from './instrument-profiles.ts'
import { CALM } from './market-conditions.ts'

const PROFILE = INSTRUMENT_PROFILES[0] as InstrumentProfile

/** How far an order has moved the price after so many steps: beside a copy without the order. */
function moveOf(levels: number, steps: number): number {
  const state = newFairPrice('impact')
  const [moved, other] = [state, structuredClone(state)].map((one) => new FairPrice(PROFILE, one))
  if (!moved || !other) throw new Error('two prices were made')
  moved.onTrade(1, levels)
  for (let step = 0; step < steps; step++) for (const price of [moved, other]) price.step(CALM)
  return Math.log(moved.dollars() / other.dollars())
}

test('an order moves the price by the root of its size', () => {
  expect(moveOf(4, 0) / moveOf(1, 0)).toBeCloseTo(2, 6)
  expect(moveOf(100, 0) / moveOf(1, 0)).toBeCloseTo(10, 6)
})

test('a third to two thirds of the move fade, most within a minute', () => {
  const [at, second, minute, hour] = [0, 10, 600, 36_000].map((steps) => moveOf(1, steps))
  expect((second ?? 0) / (at ?? 1)).toBeWithin(0.9, 1)
  expect((minute ?? 0) / (at ?? 1)).toBeWithin(1 / 3, 2 / 3)
  expect((hour ?? 0) / (at ?? 1)).toBeWithin(1 / 3, 2 / 3)
})
