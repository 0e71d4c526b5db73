import type { Observations } from '../observations.ts'
import type { Source } from '../sources.ts'

/** A range; a missing end is open. */
export interface Range {
  min?: number
  max?: number
}

/** One statistic of a market. */
export interface Figure {
  id: string
  /** Name, for market experts. */
  title: string
  /** Published source of the range below; without one, it is common knowledge of traders. */
  source?: Source
  /** Expected range. */
  wanted: Range
  /** Outside of this the model is broken, whatever the seed. */
  held: Range
  /** Format. */
  form: 'number' | 'percent' | 'dollars' | 'seconds'
  /** NaN without observations. */
  of: (seen: Observations) => number
}

/** Whether a value lies in a range; false for an unknown one. */
export function isWithin(value: number, { min = -Infinity, max = Infinity }: Range): boolean {
  return value >= min && value <= max
}
