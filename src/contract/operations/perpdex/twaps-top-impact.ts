import { permission } from '../../access.ts'
import { B } from '../../envelope.ts'
import { operation } from '../../operation.ts'
import { TwapImpact } from '../../records/twap.ts'
import { Coin, Limit, Type } from '../../schema.ts'

export const twapsTopImpact = operation({
  id: 'perpdex.twapsTopImpact',
  method: 'GET',
  path: '/hl/twaps/top-impact',
  title: 'Running TWAPs with most left to trade',
  about: 'By the value of what is left, beside the turnover of the coin in 24 hours.',
  source: 'Action map',
  envelope: B(),
  access: permission('HL_TWAP_TOP_IMPACT'),
  params: {
    query: Type.Object({
      coin: Type.Optional(Coin()),
      limit: Limit({ default: 10, max: 100 }),
    }),
  },
  data: Type.Array(TwapImpact),
  assumed: ["The shape is this sandbox's own.", 'Values are those at the mark price.'],
  examples: [
    { name: 'all coins', query: {} },
    { name: 'one coin', query: { coin: 'ETH', limit: '3' } },
  ],
  answer: ({ query }, facts) => facts.twaps.topImpact(query),
})
