/** All perpetual positions of a world in memory, in order of their closing. */
import { perWorld } from '../per-world.ts'
import type { UnpackedSection } from '../schema.ts'
import { packedRows } from './packed-rows.ts'

/** Positions that are opened or closed later are in it too, so ask for the past only. */
export interface PositionColumns {
  count: number
  /** trader.id and instrument.id. */
  traders: Float64Array
  instruments: Float64Array
  openMs: Float64Array
  /** Rising; Infinity while it is open for ever. */
  closeMs: Float64Array
  /** 1 or 0. */
  isLong: Float64Array
  leverages: Float64Array
  /** Realised when it is closed, micro-dollars. */
  pnls: Float64Array
}

export const positionColumns = perWorld((world): PositionColumns => {
  const column = ({ data, first, length }: UnpackedSection) => data.subarray(first, first + length)
  const [traders, instruments, openMs, closeMs, isLong, leverages, pnls] = packedRows(world)
    .sections('positions', 0)
    .map(column) as Columns
  return {
    count: closeMs.length,
    traders,
    instruments,
    openMs,
    closeMs,
    isLong,
    leverages,
    pnls,
  }
})

type Column = Float64Array
type Columns = [Column, Column, Column, Column, Column, Column, Column]
