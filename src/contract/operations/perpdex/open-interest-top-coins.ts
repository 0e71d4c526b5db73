import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { CoinInterest } from '../../records/asset-context.ts'
import { Limit, Lookback, Type, WithDefault } from '../../schema.ts'
import { spanMs } from '../../span.ts'

export const openInterestTopCoins = operation({
  id: 'perpdex.openInterestTopCoins',
  method: 'GET',
  path: '/hl/open-interest/top-coins',
  title: 'Coins with the most open interest',
  about:
    'By the value of their open positions, largest first. All coins together add up to the ' +
    'summary.',
  source: 'Action map; fields and limits by public documentation',
  envelope: B(),
  access: permission('HL_OPEN_INTEREST_TOP_COINS'),
  params: {
    query: Type.Object({
      limit: Limit({ default: 10, max: 50 }),
      interval: WithDefault(Lookback('15m', '180d'), '3d'),
    }),
  },
  data: Type.Array(CoinInterest),
  assumed: ['top-coins-window', 'Coins without an open position are omitted.'],
  examples: [{ name: 'ten coins' }, { name: 'of a day', query: { interval: '1d', limit: '3' } }],
  answer: ({ query }, facts) =>
    facts.openInterest.topCoins({ limit: query.limit, windowMs: spanMs(query.interval) }),
})
