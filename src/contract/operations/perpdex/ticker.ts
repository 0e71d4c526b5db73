import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { Ticker } from '../../records/asset-context.ts'
import { Coin, Nullable, Type } from '../../schema.ts'

export const ticker = operation({
  id: 'perpdex.ticker',
  method: 'GET',
  path: '/hl/tickers/coin/:coin',
  title: 'Last price of a coin',
  source: 'Perpetual-DEX REST',
  envelope: B(),
  access: permission('HL_TICKERS'),
  params: { path: Type.Object({ coin: Coin() }) },
  data: Nullable(Ticker),
  assumed: ['null for an unknown coin.'],
  examples: [{ name: 'one coin', path: { coin: 'BTC' } }],
  answer: ({ path }, facts) => facts.market.ticker(path.coin),
})
