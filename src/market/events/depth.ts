/** A depth regime. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, FactorField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const depth = eventKind({
  kind: 'depth',
  about: 'The sizes in books are multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.02, 20, 'factor of the usual size'),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'depth', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'depth',
      of: 'same coin',
      why: 'one factor at a time: ask for their product, or for one after the other',
    },
  ],
})
