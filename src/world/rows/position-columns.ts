/** All perpetual positions of a world in memory, in order of their closing. */
import { perWorld } from '../per-world.ts'
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
  const [section] = packedRows(world).sections('positions', 0)
  const [traders, instruments, openMs, closeMs, isLong, leverages, pnls] = section?.columns ?? []
  return {
    count: closeMs?.length ?? 0,
    traders: traders ?? NO_VALUES,
    instruments: instruments ?? NO_VALUES,
    openMs: openMs ?? NO_VALUES,
    closeMs: closeMs ?? NO_VALUES,
    isLong: isLong ?? NO_VALUES,
    leverages: leverages ?? NO_VALUES,
    pnls: pnls ?? NO_VALUES,
  }
})

const NO_VALUES = new Float64Array()
