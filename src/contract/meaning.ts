/**
 * The meaning of a parameter, declared on its schema (`x-meaning`) instead of derived from its
 * name: used by the longest time range of a key, magic values, faults and the conformance suite.
 */
import type { TSchema } from '@sinclair/typebox'
import type { QuestionId } from './questions.ts'

/**
 * - coin, address, symbol: the subject of a request; a symbol names a pair, an index or a stock, or
 * a coin by its key.
 * - instant: a time that bounds no range, such as a cursor or the key of a position.
 * - rangeStart, rangeEnd: the first and the last instant of the requested range.
 * - rangeLength: the length of that range, back from its end or from the present.
 * - interval: the time that one row of the answer covers.
 * - pageSize: the maximum number of rows; where rows have an interval, a range as well.
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
 * The unit of a rangeLength or an interval (`x-length`): span is text such as `15m`; days are
 * whole, 0 for all time; s are whole seconds; window is day, week, month or allTime.
 */
export type LengthUnit = 'span' | 'days' | 's' | 'window'

/** The list of a sandbox's cast with values of a parameter, the newest first (`x-cast`). */
export type CastList =
  | 'addresses.twap'
  | 'oids.filled'
  | 'twapIds'
  | 'builders'
  | `openPositions.${'address' | 'coin'}`
  | `completedPositions.${'address' | 'coin' | 'openTime' | 'closeTime'}`

/** A schema with the list of its values. */
export const castFrom = <T extends TSchema>(list: CastList, schema: T): T => ({
  ...schema,
  'x-cast': list,
})

/** Details of some meanings. */
export interface MeaningDetails {
  /** Of a rangeLength or an interval. */
  'x-length'?: LengthUnit
  /** Of an optional rangeLength or interval: the question that decides its default. */
  'x-usual'?: QuestionId
  /** Of a pageSize without a parameter for the interval: the interval of each row, as a span. */
  'x-each'?: string
}

/** A schema with a meaning. */
export const meant = <T extends TSchema>(
  meaning: Meaning,
  schema: T,
  details: MeaningDetails = {},
): T => ({ ...schema, ...details, 'x-meaning': meaning })

/** The meaning of a schema; undefined without one. */
export const meaningOf = (schema: TSchema): Meaning | undefined => schema['x-meaning']
