import { Dex, dexFlaw } from '../dex.ts'
import { Decimal, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const allMids = infoType({
  type: 'allMids',
  title: 'Mid prices',
  request: Type.Object({
    dex: Dex,
  }),
  data: Type.Record(Type.String(), Decimal('mid price')),
  examples: [{}],
  answer: ({ dex = '' }, facts) => dexFlaw(dex, facts) ?? facts.venue.allMids(dex),
})
