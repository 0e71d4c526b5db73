import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { L2Book } from '../records/book.ts'
import { Coin, Nullable, Type } from '../schema.ts'

export const l2Book = channel({
  id: 'l2Book',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Order book',
  about: 'The whole book of a coin after each change, at most 20 levels per side.',
  source: 'Perpetual-DEX WebSocket; Events 1 and 2',
  subscription: Type.Object({
    type: Type.Literal('l2Book'),
    coin: Coin(),
    nSigFigs: Type.Optional(Nullable(Type.Integer({ minimum: 2, maximum: 5 }))),
    mantissa: Type.Optional(Nullable(Type.Union([Type.Literal(2), Type.Literal(5)]))),
  }),
  key: ['coin', 'nSigFigs', 'mantissa'],
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
    '`mantissa` 2 or 5 goes with nSigFigs 5.',
  ],
  topics: ({ coin }) => [`book/${coin}`],
  exists: ({ coin }, facts) => facts.market.isCoin(coin),
  snapshot: (subscription, facts) => facts.books.l2(subscription) ?? undefined,
  push: (subscription, _, facts) => facts.books.l2(subscription) ?? undefined,
})
