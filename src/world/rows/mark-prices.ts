/** Prices at which holdings are valued. */
import type { TapeMs } from '../../clock/instant.ts'
import { type Px, px } from '../../decimal/quantity.ts'
import { perWorld } from '../per-world.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { packedRows } from './packed-rows.ts'
import { NO_STEPS, ValueSteps } from './value-steps.ts'

/** Mark price in price units; the last trade's while there is no mark, null without either. */
export function markPx(world: World, { id }: InstrumentRow, atMs: TapeMs): Px | null {
  const price = markSteps(world)(id).at(atMs)
  return price === null ? null : px(price)
}

/** All prices of an instrument's id. */
export const markSteps = perWorld((world) => {
  const known: (ValueSteps | undefined)[] = []
  return (instrument: number): ValueSteps => {
    const before = known[instrument]
    if (before) return before
    const [section] = packedRows(world).sections('prices', instrument)
    const steps = section ? new ValueSteps(section) : NO_STEPS
    known[instrument] = steps
    return steps
  }
})
