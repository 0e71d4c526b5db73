import type { Observations } from '../observations.ts'
import type { Source } from '../sources.ts'

/** A range; open where an end is left out. */
export interface Range {
  min?: number
  max?: number
}

/** One statistic of a market. */
export interface Figure {
  id: string
  /** What it is, for somebody who knows markets. */
  title: string
  /** Where the range below was published; without it, it is what traders see every day. */
  source?: Source
  /** Where it should lie. */
  wanted: Range
  /** Beyond this the model is broken, whatever the seed. */
  held: Range
  /** How it is written. */
  form: 'number' | 'percent' | 'dollars' | 'seconds'
  /** NaN where nothing was seen that it could be reckoned from. */
  of: (seen: Observations) => number
}

/** Whether a value lies in a range; one that is not known does not. */
export function isWithin(value: number, { min = -Infinity, max = Infinity }: Range): boolean {
  return value >= min && value <= max
}
