import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { TwapImpact } from '../../records/fill.ts'
import { Coin, Limit, Type } from '../../schema.ts'

export const twapsTopImpact = operation({
  id: 'perpdex.twapsTopImpact',
  method: 'GET',
  path: '/hl/twaps/top-impact',
  title: 'Running TWAPs with the largest remaining size',
  about: 'By the remaining value, with the 24-hour turnover of the coin.',
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
  assumed: ['The shape is our own choice.', 'Values are at the mark price.'],
  examples: [
    { name: 'all coins', query: {} },
    { name: 'one coin', query: { coin: 'ETH', limit: '3' } },
  ],
  answer: ({ query }, facts) => facts.twaps.topImpact(query),
})
