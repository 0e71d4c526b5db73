/** A coin, or the whole market, is not traded. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const halt = eventKind({
  kind: 'halt',
  about: 'Trading of a coin stops and its book does not change. Other coins continue.',
  fields: Type.Object(
    { coin: AnyCoinField, forS: LengthField('duration') },
    { additionalProperties: false },
  ),
  example: { kind: 'halt', coin: 'BTC', forS: 60 },
  lengthS: ({ forS }) => forS,
  excludes: [{ kind: 'halt', of: 'same coin', why: 'it is halted already' }],
})
