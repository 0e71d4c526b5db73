/**
 * What a parameter means, declared on its schema (`x-meaning`), so that nobody guesses it from the
 * parameter's name: the longest time range of a key, magic values, faults and the conformance
 * suite's filling read it there.
 */
import type { TSchema } from '@sinclair/typebox'
import type { QuestionId } from './questions.ts'

/**
 * - coin, address, symbol: who or what is asked about; a symbol names a pair, an index or a stock,
 *   or a coin by its key.
 * - instant: a time that bounds no range, such as a cursor or the key of a position.
 * - rangeStart, rangeEnd: the first and the last instant of the range that is asked for.
 * - rangeLength: how long that range is, back from its end or from the present.
 * - interval: how much time one row of the answer covers.
 * - pageSize: how many rows are asked for at most; where rows have an interval, a range as well.
 */
export type Meaning =
  | 'coin'
  | 'address'
  | 'symbol'
  | 'instant'
  | 'rangeStart'
  | 'rangeEnd'
  | 'rangeLength'
  | 'interval'
  | 'pageSize'

/**
 * In what a rangeLength or an interval is written (`x-length`): span is text such as `15m`; days
 * are whole, 0 for all time; s are whole seconds; window is day, week, month or allTime.
 */
export type LengthUnit = 'span' | 'days' | 's' | 'window'

/** Where a sandbox's cast has values of a parameter, the newest first (`x-cast`). */
export type CastList =
  | 'addresses.twap'
  | 'oids.filled'
  | 'twapIds'
  | 'builders'
  | `openPositions.${'address' | 'coin'}`
  | `completedPositions.${'address' | 'coin' | 'openTime' | 'closeTime'}`

/** A schema that says where there are values of it. */
export const castFrom = <T extends TSchema>(list: CastList, schema: T): T => ({
  ...schema,
  'x-cast': list,
})

/** What goes with some meanings. */
export interface MeaningDetails {
  /** Of a rangeLength or an interval. */
  'x-length'?: LengthUnit
  /** Of a rangeLength or an interval that may be left out: the question whose answer it then is. */
  'x-usual'?: QuestionId
  /** Of a pageSize without a parameter for the interval: the interval of each row, as a span. */
  'x-each'?: string
}

/** A schema that says what it means. */
export const meant = <T extends TSchema>(
  meaning: Meaning,
  schema: T,
  details: MeaningDetails = {},
): T => ({ ...schema, ...details, 'x-meaning': meaning })

/** What a schema says it means; undefined when it says nothing. */
export const meaningOf = (schema: TSchema): Meaning | undefined => schema['x-meaning']
