/** Funding pressure. */
import { Type } from '@sinclair/typebox'
import { CoinField, LengthField } from './event-fields.ts'
import { eventKind } from './event-kind.ts'

export const funding = eventKind({
  kind: 'funding',
  about:
    'The price of the perpetual is kept above or below its oracle price, so that its hourly ' +
    'funding approaches the given rate.',
  fields: Type.Object(
    {
      coin: CoinField,
      pct: Type.Number({
        minimum: -1,
        maximum: 1,
        description: 'hourly funding rate in percent; 0.00125 is usual',
      }),
      forS: LengthField('duration'),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'funding', coin: 'SOL', pct: 0.05, forS: 3600 },
  lengthS: ({ forS }) => forS,
  shortage: (_, { coin, kind }) =>
    kind === 'spot'
      ? { field: 'coin', message: `is ${coin}, a spot pair, which has no funding` }
      : undefined,
  excludes: [
    {
      kind: 'funding',
      of: 'same coin',
      why: 'one rate at a time: ask for one after the other',
    },
  ],
})
