import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { InterestPoint } from '../../records/asset-context.ts'
import { Coin, Lookback, Type, WithDefault } from '../../schema.ts'
import { spanMs } from '../../span.ts'

export const openInterestHistory = operation({
  id: 'perpdex.openInterestHistory',
  method: 'GET',
  path: '/hl/open-interest/history/:coin',
  title: 'History of the open interest of a coin',
  about: 'Oldest first; the last point is the present.',
  source: 'Action map; fields by public documentation',
  envelope: B(),
  access: permission('HL_OPEN_INTEREST_HISTORY'),
  params: {
    path: Type.Object({ coin: Coin() }),
    query: Type.Object({
      interval: WithDefault(Lookback('15m', '180d'), '3d'),
    }),
  },
  data: Type.Array(InterestPoint),
  assumed: [
    'open-interest-step',
    'Oldest first, at whole steps of UTC time, and at the present time.',
    'An empty list for an unknown coin or one that is not a perpetual.',
  ],
  examples: [
    { name: 'three days', path: { coin: 'BTC' } },
    { name: 'a month', path: { coin: 'ETH' }, query: { interval: '30d' } },
  ],
  answer: ({ path, query }, facts) =>
    facts.openInterest.history({ coin: path.coin, windowMs: spanMs(query.interval) }),
})
