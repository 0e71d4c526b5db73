import { Decimal, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const allMids = infoType({
  type: 'allMids',
  title: 'Mid prices',
  request: Type.Object({
    dex: Type.Optional(Type.String({ description: 'empty for the main dex' })),
  }),
  data: Type.Record(Type.String(), Decimal('mid price')),
  examples: [{}],
  answer: ({ dex = '' }, facts) => facts.venue.allMids(dex),
})
