import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { Trade } from '../records/fill.ts'
import { Coin, Type } from '../schema.ts'

export const trades = channel({
  id: 'trades',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Trades',
  about:
    'First the latest trades, newest first, then the trades of each instant. Never an empty list.',
  source: 'Perpetual-DEX WebSocket; Events 1',
  subscription: Type.Object({ type: Type.Literal('trades'), coin: Coin() }),
  key: ['coin'],
  counted: true,
  pushPolicy: { follows: 'data' },
  data: Type.Array(Trade),
  examples: [{ type: 'trades', coin: 'BTC' }],
  assumed: ['trades-snapshot'],
  topics: ({ coin }) => [`trade/${coin}`],
  exists: ({ coin }, facts) => facts.market.isCoin(coin),
  snapshot: ({ coin }, facts) => {
    if (facts.moment.answers['trades-snapshot'] === 'none') return undefined
    const recent = facts.market.recentTrades(coin, 10)
    return recent.length > 0 ? recent : undefined
  },
  push: (_, event) => (event.kind === 'trade' ? event.trades : undefined),
})
