/** Draws the model's bars on whichever thread is idle: at first the one that writes rows. */
import { raw } from '../../../decimal/quantity.ts'
import { randomSource } from '../../../random/random-source.ts'
import type { MinuteMoves } from '../../bars/minute-moves.ts'
import type { BarColumns } from '../../bars/past-bars.ts'
import { type BarScale, pastBars } from '../../bars/past-bars.ts'
import { nearestPrices } from '../../schema/price-step.ts'
import type { InstrumentRow } from '../../schema/schema.ts'

/** Input of a drawing of bars, as plain data. */
export interface BarDrawing {
  moves: MinuteMoves
  scale: Omit<BarScale, 'onTick'>
  priced: Pick<InstrumentRow, 'tick' | 'pxDecimals'>
  /** Key of the random source. */
  source: string
}

/** Draws bars, here or in another thread. */
export interface BarSource {
  draw(drawing: BarDrawing): BarColumns | Promise<BarColumns>
}

/** Draws bars in this thread. */
export function drawBars({ moves, scale, priced, source }: BarDrawing): BarColumns {
  const nearest = nearestPrices(priced)
  const onTick = (px: number) => raw(nearest(px))
  return pastBars(moves, { ...scale, onTick }, randomSource(source, 'bars'))
}
