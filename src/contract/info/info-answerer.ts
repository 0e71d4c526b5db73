/** Answers a body by its `type`, out of a list of types. */
import { mapSlices, type Slices } from '../../clock/turns.ts'
import type { Facts } from '../facts.ts'
import type { Opaque } from '../operation.ts'
import { readFields } from '../parameter-reader.ts'
import { isRefusal, type Refusal } from '../refusal.ts'
import { shownValue, tapeValue } from '../shown-value.ts'
import type { InfoType } from './info-type.ts'

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
