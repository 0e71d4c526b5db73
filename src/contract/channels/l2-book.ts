import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { BookRounding, L2Book } from '../records/book.ts'
import { Coin, Type } from '../schema.ts'

export const l2Book = channel({
  id: 'l2Book',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Order book',
  about: 'The whole book of a coin after each change, at most 20 levels per side.',
  source: 'Perpetual-DEX WebSocket; Events 1 and 2',
  subscription: Type.Object({ type: Type.Literal('l2Book'), coin: Coin(), ...BookRounding }),
  key: ['coin', 'nSigFigs'],
  options: ['mantissa'],
  counted: true,
  pushPolicy: { stateOf: 'book', follows: 'state' },
  data: L2Book,
  examples: [
    { type: 'l2Book', coin: 'BTC' },
    { type: 'l2Book', coin: 'BTC', nSigFigs: 4 },
  ],
  assumed: [
    'republish-after',
    'stale-after',
    'stale-place',
    '`mantissa` 2 or 5 goes with nSigFigs 5; of one key a connection has the first `mantissa`.',
  ],
  topics: ({ coin }) => [`book/${coin}`],
  exists: ({ coin }, facts) => facts.market.isCoin(coin),
  snapshot: (subscription, facts) => facts.books.l2(subscription) ?? undefined,
  push: (subscription, _, facts) => facts.books.l2(subscription) ?? undefined,
})
