/** A volume regime. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, FactorField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const volume = eventKind({
  kind: 'volume',
  about: 'The traded volume is multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.05, 20, 'factor of the usual volume'),
      forS: LengthField('duration'),
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
