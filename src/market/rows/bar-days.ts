/** Days of minute bars as columns, unpacked when they are asked for. */
import { later, type TapeMs } from '../../clock/instant.ts'
import { pow10 } from '../../decimal/scaled.ts'
import { meanPxAt } from '../bars/bar-columns.ts'
import { BAR_MS, worthOf } from '../bars/minute-bar.ts'
import { type BarBlock, unpackBars } from '../schema/bar-blocks.ts'
import { bars, type InstrumentRow, MONEY_DECIMALS } from '../schema/schema.ts'
import { Cache } from '../world/cache.ts'
import { perMarket } from '../world/per-world.ts'
import type { World } from '../world/world.ts'
import { columns } from './columns.ts'

export const BAR_DAY_MS = 1440 * BAR_MS
/** Days of an instrument kept in memory, 115 kilobytes each: a month of a dozen instruments. */
const DAYS_KEPT = 384

/** A day of minutes. */
export interface BarDay extends BarBlock {
  /** What takers bought and sold in each is worth; null until it is asked for. */
  worths: BarWorths | null
}

/** Micro-dollars. */
interface BarWorths {
  bought: Float64Array
  sold: Float64Array
}

export const barDaysOf = perMarket((world) => new BarDays(world))

export class BarDays {
  private readonly days = new Cache<number, BarDay | null>(DAYS_KEPT)
  private readonly read

  constructor(private readonly world: World) {
    this.read = columns({ minutes: bars.minutes }).prepare<[instrument: number, startMs: TapeMs]>(
      world.db,
      'from bars where instrument = ? and startMs = ?',
    )
  }

  /** The bars of a day, counted from the first of the history; null where there are none. */
  find(of: InstrumentRow, day: number): BarDay | null {
    return this.days.get(of.id * DAYS_MAX + day, () => {
      const row = this.read.get(of.id, later(this.world.meta.historyStartMs, day * BAR_DAY_MS))
      return row && { ...unpackBars(row.minutes), worths: null }
    })
  }
}

/** Micro-dollars of a size under an area (`worthOf`). */
export function barWorth(of: InstrumentRow): (size: number, area: number) => number {
  const unit = pow10(MONEY_DECIMALS) / pow10(of.pxDecimals) / pow10(of.szDecimals)
  return (size, area) => Math.round(worthOf(size, area) * unit)
}

/** What each minute's trades are worth. */
export function worthsOf(of: InstrumentRow, day: BarDay): BarWorths {
  day.worths ??= newWorths(of, day)
  return day.worths
}

function newWorths(of: InstrumentRow, day: BarDay): BarWorths {
  const { length } = day.open
  const worth = barWorth(of)
  const worths = { bought: new Float64Array(length), sold: new Float64Array(length) }
  for (let at = 0; at < length; at++) {
    const mean = meanPxAt(day, at)
    worths.bought[at] = worth(day.bought[at] as number, mean)
    worths.sold[at] = worth(day.sold[at] as number, mean)
  }
  return worths
}

/** No history is longer. */
const DAYS_MAX = 2 ** 16
