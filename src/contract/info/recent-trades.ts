import { Trade } from '../records/fill.ts'
import { Coin, Nullable, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const recentTrades = infoType({
  type: 'recentTrades',
  profile: 'raw',
  title: 'Latest trades of a coin, newest first',
  most: 10,
  request: Type.Object({ coin: Coin() }),
  data: Nullable(Type.Array(Trade)),
  examples: [{ coin: 'BTC' }],
  answer: ({ coin }, facts, most) =>
    facts.market.isCoin(coin) ? facts.market.recentTrades(coin, most) : null,
})
