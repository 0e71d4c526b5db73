/** A depth regime. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, FactorField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const depth = eventKind({
  kind: 'depth',
  about: 'Books hold so many times as much.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.02, 20, 'how many times as much as before'),
      forS: LengthField('for how long'),
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
