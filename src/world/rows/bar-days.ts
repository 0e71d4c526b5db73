/** Days of minute bars as columns, unpacked when they are asked for. */
import { later, type TapeMs } from '../../clock/instant.ts'
import { BAR_MS } from '../../market/minute-bar.ts'
import { Cache } from '../cache.ts'
import { perWorld } from '../per-world.ts'
import { type BarBlock, unpackBars } from '../schema/bar-blocks.ts'
import { bars, type InstrumentRow } from '../schema.ts'
import type { World } from '../world.ts'
import { columns } from './columns.ts'

export const BAR_DAY_MS = 1440 * BAR_MS
/** Days of an instrument kept in memory, 100 kilobytes each: a month of a dozen instruments. */
const DAYS_KEPT = 384

export const barDaysOf = perWorld((world) => new BarDays(world))

export class BarDays {
  private readonly days = new Cache<number, BarBlock | null>(DAYS_KEPT)
  private readonly read

  constructor(private readonly world: World) {
    this.read = columns({ minutes: bars.minutes }).prepare<[instrument: number, startMs: TapeMs]>(
      world.db,
      'from bars where instrument = ? and startMs = ?',
    )
  }

  /** The bars of a day, counted from the first of the history; null where there are none. */
  find({ id }: InstrumentRow, day: number): BarBlock | null {
    return this.days.get(id * DAYS_MAX + day, () => {
      const row = this.read.get(id, later(this.world.meta.historyStartMs, day * BAR_DAY_MS))
      return row && unpackBars(row.minutes)
    })
  }
}

/** No history is longer. */
const DAYS_MAX = 2 ** 16
