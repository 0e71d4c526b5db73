/** A spread regime. */
import { Type } from '@sinclair/typebox'
import { AnyCoinField, FactorField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const spread = eventKind({
  kind: 'spread',
  about: 'The spreads between best bid and best ask are multiplied by a factor.',
  fields: Type.Object(
    {
      coin: AnyCoinField,
      factor: FactorField(0.5, 50, 'factor of the usual spread'),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'spread', coin: 'BTC', factor: 3, forS: 300 },
  lengthS: ({ forS }) => forS,
  excludes: [
    {
      kind: 'spread',
      of: 'same coin',
      why: 'one factor at a time: ask for their product, or for one after the other',
    },
  ],
})
