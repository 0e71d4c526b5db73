/** Prices at which holdings are valued. */
import type { TapeMs } from '../../clock/instant.ts'
import { type Px, px } from '../../decimal/quantity.ts'
import { lastUpTo } from '../binary-search.ts'
import { perWorld } from '../per-world.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { packedRows } from './packed-rows.ts'

/** Prices that change at instants; one holds until the next. */
export interface PriceSteps {
  timesMs: Float64Array
  prices: Float64Array
}

/** Mark price in price units; the last trade's while there is no mark, null without either. */
export function markPx(world: World, { id }: InstrumentRow, atMs: TapeMs): Px | null {
  const { timesMs, prices } = markSteps(world)(id)
  const at = lastUpTo(timesMs, atMs)
  return at < 0 ? null : px(prices[at] as number)
}

/** All prices of an instrument's id. */
export const markSteps = perWorld((world) => {
  const known = new Map<number, PriceSteps>()
  return (instrument: number): PriceSteps => {
    const before = known.get(instrument)
    if (before) return before
    const [section] = packedRows(world).sections('prices', instrument)
    const [timesMs = NO_VALUES, prices = NO_VALUES] = section?.columns ?? []
    const steps = { timesMs, prices }
    known.set(instrument, steps)
    return steps
  }
})

const NO_VALUES = new Float64Array()
