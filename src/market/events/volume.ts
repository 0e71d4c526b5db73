/** A volume regime. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, FactorField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const volume = eventKind({
  kind: 'volume',
  about: 'So many times as much is traded.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.05, 20, 'how many times as much as before'),
      forS: LengthField('for how long'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'volume', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'volume',
      of: 'same coin',
      why: 'one factor at a time: ask for their product, or for one after the other',
    },
  ],
})
