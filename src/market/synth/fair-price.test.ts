import { expect, test } from 'bun:test'
import type { InstrumentProfile } from './instrument-profile.ts'
import { CALM } from './market-conditions.ts'
import { FairPrice, newFairPrice } from './market-state.ts'

const PROFILE: InstrumentProfile = {
  coin: 'BTC',
  kind: 'perp',
  pxDecimals: 1,
  szDecimals: 5,
  startPx: 96_412,
  beta: 1,
  ownBp: 0.3,
  spreadTicks: 1,
  gapTicks: 1,
  levelUsd: 85_000,
  levels: 685,
  extent: 0.08,
  ordersPerS: 1.75,
  orderUsd: 2500,
  refreshMs: 240,
  interestUsd: 2.9e9,
  premium: -0.00021,
  liquidations: 5,
}

const AS_USUAL = {
  volatility: 1,
  ownVolatility: 1,
  wanders: false,
  steered: false,
  reversion: 0,
}

/** Price impact of an order after so many steps: relative to a copy without the order. */
function moveOf(levels: number, steps: number): number {
  const state = newFairPrice('impact')
  const [moved, other] = [state, structuredClone(state)].map((one) => new FairPrice(PROFILE, one))
  if (!moved || !other) throw new Error('two prices were made')
  moved.onTrade(1, levels)
  for (let step = 0; step < steps; step++)
    for (const price of [moved, other]) price.step(CALM, AS_USUAL, 0)
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
