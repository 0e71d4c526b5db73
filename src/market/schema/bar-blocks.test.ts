import { expect, test } from 'bun:test'
import { emptyBars } from '../bars/past-bars.ts'
import { type BarBlock, packBars, unpackBars, unpackKeptBars } from './bar-blocks.ts'

const MINUTES = 120

function someBars(interest: number): BarBlock {
  const bars = { ...emptyBars(MINUTES), interest: new Float64Array(MINUTES) }
  for (let at = 0; at < MINUTES; at++) {
    bars.open[at] = 1000 + ((37 * at) % 50)
    bars.close[at] = 1000 + ((53 * at) % 50)
    bars.high[at] = 1060 + (at % 7)
    bars.low[at] = 990 - (at % 5)
    bars.highFirst[at] = at % 2
    bars.trades[at] = at % 11
    bars.bought[at] = 10 * at
    bars.sold[at] = 30 * at
    bars.interest[at] = interest + 10 * at
  }
  return bars
}

test('bars that stay in memory have the same values, in 32 bits where all fit', () => {
  for (const interest of [0, 2 ** 31 - 608, 10 * 2 ** 40]) {
    const blob = packBars(someBars(interest), 0, MINUTES, 10)
    const [whole, kept] = [unpackBars(blob), unpackKeptBars(blob)]
    for (const name of Object.keys(whole) as (keyof BarBlock)[])
      expect([name, ...kept[name]]).toEqual([name, ...whole[name]])
    expect(kept.open).toBeInstanceOf(Int32Array)
    const column = interest === 0 ? Int32Array : Float64Array
    expect(kept.interest).toBeInstanceOf(column)
  }
})
