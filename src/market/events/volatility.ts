/** A volatility regime. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, FactorField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const volatility = eventKind({
  kind: 'volatility',
  about: 'The size of price movements is multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.1, 10, 'factor of the usual movements'),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'volatility', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'volatility',
      of: 'same coin',
      why: 'one factor at a time: ask for their product, or for one after the other',
    },
  ],
})
