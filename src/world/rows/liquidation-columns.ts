/** All liquidations of a world in memory, oldest first. */
import type { TapeMs } from '../../clock/instant.ts'
import { lastUpTo } from '../binary-search.ts'
import { perWorld } from '../per-world.ts'
import type { InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { packedRows } from './packed-rows.ts'

/** Later ones are in it too, so ask for the past only. */
interface LiquidationColumns {
  /** Rising. */
  timesMs: Float64Array
  instruments: Float64Array
  /** 1 or 0. */
  isLong: Float64Array
  sizes: Float64Array
  /** Micro-dollars. */
  notionals: Float64Array
  pnls: Float64Array
  /**
   * Where the liquidation of the same account before it is, of any instrument and of this one: -1
   * for none, its own place where the account is not known. So a window has as many accounts as
   * liquidations with none before them in it.
   */
  priors: Float64Array
  ownPriors: Float64Array
}

/** Liquidations one after another, the last one included; of one instrument, or of all for null. */
export interface LiquidationWindow {
  columns: LiquidationColumns
  first: number
  last: number
  of: InstrumentRow | null
}

/** Those with fromMs <= time <= toMs. */
export function liquidationsBetween(
  world: World,
  of: InstrumentRow | null,
  fromMs: TapeMs,
  toMs: TapeMs,
): LiquidationWindow {
  const columns = liquidationColumns(world)
  const { timesMs } = columns
  return { columns, of, first: lastUpTo(timesMs, fromMs - 1) + 1, last: lastUpTo(timesMs, toMs) }
}

/** Places in the columns, oldest first. */
export function* placesOf({ columns, first, last, of }: LiquidationWindow): Generator<number> {
  const { instruments } = columns
  for (let at = first; at <= last; at++) if (of === null || instruments[at] === of.id) yield at
}

const liquidationColumns = perWorld((world): LiquidationColumns => {
  const packed = packedRows(world).sections('liquidations', 0)
  const columns = packed.map(({ data, first, length }) => data.subarray(first, first + length))
  const [timesMs, instruments, isLong, sizes, notionals, pnls, priors, ownPriors] =
    columns as Columns
  return { timesMs, instruments, isLong, sizes, notionals, pnls, priors, ownPriors }
})

type Column = Float64Array
type Columns = [Column, Column, Column, Column, Column, Column, Column, Column]
