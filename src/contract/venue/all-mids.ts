import { publicAccess } from '../access.ts'
import { channel } from '../channel.ts'
import { Dex, isDex } from '../dex.ts'
import { VENUE_DIALECT } from '../dialect.ts'
import { Decimal, Type } from '../schema.ts'

export const allMids = channel({
  id: 'allMids',
  dialect: VENUE_DIALECT,
  access: publicAccess,
  title: 'Mid prices of all coins',
  source: 'the perpetual venue, WebSocket',
  subscription: Type.Object({
    type: Type.Literal('allMids'),
    dex: Dex,
  }),
  key: ['dex'],
  counted: false,
  pushPolicy: { minGapMs: 1_000 },
  data: Type.Object({ mids: Type.Record(Type.String(), Decimal('mid price')) }),
  examples: [{ type: 'allMids' }],
  topics: (_, facts) => facts.market.tickers().map(({ coin }) => `bbo/${coin}`),
  exists: ({ dex = '' }, facts) => isDex(dex, facts),
  snapshot: ({ dex = '' }, facts) => ({ mids: facts.venue.allMids(dex) }),
  push: ({ dex = '' }, _, facts) => ({ mids: facts.venue.allMids(dex) }),
})
