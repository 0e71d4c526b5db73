import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { Bbo } from '../records/book.ts'
import { Coin, Type } from '../schema.ts'

export const bbo = channel({
  id: 'bbo',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Best bid and offer',
  about: 'Pushed when the best bid or the best offer changes.',
  source: 'Perpetual-DEX WebSocket; Events 1',
  subscription: Type.Object({ type: Type.Literal('bbo'), coin: Coin() }),
  key: ['coin'],
  counted: true,
  pushPolicy: { stateOf: 'book', follows: 'data' },
  data: Bbo,
  examples: [{ type: 'bbo', coin: 'BTC' }],
  assumed: ['republish-after', 'stale-after', 'stale-place', 'stale-channels'],
  topics: ({ coin }) => [`bbo/${coin}`],
  exists: ({ coin }, facts) => facts.market.isCoin(coin),
  snapshot: ({ coin }, facts) => facts.books.bbo(coin) ?? undefined,
  push: (_, event) => (event.kind === 'bbo' ? event.bbo : undefined),
})
