/** A volatility regime. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, FactorField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const volatility = eventKind({
  kind: 'volatility',
  about: 'Prices go up and down so many times as far.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.1, 10, 'how many times as far as before'),
      forS: LengthField('for how long'),
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
