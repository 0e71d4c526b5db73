import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { TopTrade } from '../../records/fill.ts'
import { Coin, Limit, Lookback, Type } from '../../schema.ts'
import { spanMs } from '../../span.ts'

export const topTrades = operation({
  id: 'perpdex.topTrades',
  method: 'GET',
  path: '/hl/fills/top-trades',
  title: 'Largest trades',
  source: 'Perpetual-DEX REST; Limits',
  envelope: B(),
  access: permission('HL_TOP_TRADES'),
  params: {
    query: Type.Object({
      interval: Lookback('1s', '7d'),
      coin: Coin(),
      limit: Limit({ default: 10, max: 100 }),
    }),
  },
  data: Type.Array(TopTrade),
  assumed: ['`limit` is optional: the contract calls it required but gives a default.'],
  examples: [{ name: 'of a day', query: { interval: '1d', coin: 'BTC', limit: '10' } }],
  answer: ({ query }, facts) =>
    facts.fills.topTrades({ ...query, intervalMs: spanMs(query.interval) }),
})
