import { signedAccess } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { Gainer, gainerParameters } from '../../records/stock.ts'
import { Type } from '../../schema.ts'

export const stockTopGainer = operation({
  id: 'stock.topGainer',
  method: 'GET',
  path: '/crypto_stock/top-gainer',
  title: 'Stocks by change of price',
  about: 'Crypto-related stocks, the largest rise of the day first. Indexes are omitted.',
  source: 'Crypto stock; Limits',
  envelope: B(),
  access: signedAccess,
  params: { query: Type.Object(gainerParameters) },
  data: Type.Array(Gainer),
  assumed: [
    'stock-no-market',
    'stock-times',
    'stock-change-rate',
    'Ranked by the change in percent; falling stocks come last.',
  ],
  examples: [{ name: 'the United States', query: { us_stock: 'true', limit: '5' } }],
  answer: ({ query: { us_stock, hk_stock, limit } }, { stock }) =>
    stock.gainers({ us: us_stock, hk: hk_stock, limit }),
})
