/**
 * A `type` of `POST /info`: its body and answer. The answer is the perpetual venue's own, wrapped
 * in envelope B.
 */

import { mapSlices, type Slices } from '../../clock/turns.ts'
import type { Facts } from '../facts.ts'
import { meant } from '../meaning.ts'
import type { Opaque } from '../operation.ts'
import { readFields } from '../parameter-reader.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { Nullable, type Static, TimeMs, type TObject, type TSchema, Type } from '../schema.ts'
import { shownValue, tapeValue } from '../shown-value.ts'

interface Declaration<R extends TObject, D extends TSchema> {
  type: string
  /** Served by this profile only: the service itself refuses the type. */
  profile?: 'raw'
  title: string
  /** Why the answer has nothing of the market or the account in it; left out where it has. */
  fixed?: string
  /** Maximum number of rows. */
  most?: number
  request: R
  data: D
  examples: Record<string, unknown>[]
}

/** A type as other modules see it. */
export interface InfoType extends Declaration<TObject, TSchema> {
  answer: (request: never, facts: Facts, most: number) => unknown
}

/**
 * Declares a type; its `answer` is one query to the facts, for `most` rows at most, and may be a
 * generator of slices.
 */
export function infoType<R extends TObject, D extends TSchema>(
  declaration: Declaration<R, D> & {
    answer: (
      request: Static<R>,
      facts: Facts,
      most: number,
    ) => Static<D> | Refusal<'invalid'> | Slices<Static<D>>
  },
): InfoType {
  return declaration as unknown as InfoType
}

/** An answerer of some types: the answer in shown times, or a refusal. */
export function infoAnswerer(types: readonly InfoType[]) {
  const byType = new Map(types.map((info) => [info.type, info]))
  return (body: { type: string }, facts: Facts): InfoAnswer | Slices<InfoAnswer> => {
    const found = byType.get(body.type)
    if (!found) return { refused: 'infoType', type: body.type }
    const request = readFields(found.request, body)
    if (isRefusal(request)) return request
    const parameters = tapeValue(found.request, request, facts.moment)
    const { most = Number.POSITIVE_INFINITY } = found
    const answer = found.answer(parameters as never, facts, most) as InfoAnswer | Slices<InfoAnswer>
    return mapSlices(answer, (data) => {
      if (isRefusal(data)) return data
      return shownValue(found.data, data, facts.moment) as Opaque
    })
  }
}

type InfoAnswer = Opaque | Refusal<'infoType' | 'missing' | 'invalid'>

/** Start of a type's time range; the venue's clients leave it open by null. */
export const RangeStart = meant('rangeStart', Type.Optional(Nullable(TimeMs('from'))))

/** End of a type's time range; the venue's clients leave it open by null. */
export const RangeEnd = meant('rangeEnd', Type.Optional(Nullable(TimeMs('to'))))
