/**
 * One `type` of `POST /info`: what its body holds besides, what it answers. The answer is the
 * perpetual venue's own, wrapped in envelope B.
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
  /** Answered by sandboxes of this profile only: the service itself does not know the type. */
  profile?: 'raw'
  title: string
  /** How many rows are given at most. */
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
 * Declares a type; its `answer` names one question put to the facts, for `most` rows at most, and
 * may be given in slices.
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

/** An answerer over some types: the answer in shown times, or why there is none. */
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

/** Beginning of the range of time of a type; the venue's clients leave it open by null. */
export const RangeStart = meant('rangeStart', Type.Optional(Nullable(TimeMs('from'))))

/** End of the range of time of a type; the venue's clients leave it open by null. */
export const RangeEnd = meant('rangeEnd', Type.Optional(Nullable(TimeMs('to'))))
