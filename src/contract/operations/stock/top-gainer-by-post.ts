import { signedAccess } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { Gainer, gainerParameters } from '../../records/stock.ts'
import { Type } from '../../schema.ts'

export const stockTopGainerByPost = operation({
  id: 'stock.topGainerByPost',
  method: 'POST',
  path: '/crypto_stock/top-gainer',
  title: 'Stocks by change of price, with a body',
  about: 'The same as with GET.',
  source: 'Crypto stock; Limits',
  envelope: B(),
  access: signedAccess,
  params: { body: Type.Object(gainerParameters) },
  data: Type.Array(Gainer),
  assumed: [
    'stock-no-market',
    'stock-times',
    'stock-change-rate',
    'Ranked by the change in percent; falling stocks come last.',
  ],
  examples: [{ name: 'Hong Kong', body: { hk_stock: true, limit: 5 } }],
  answer: ({ body: { us_stock, hk_stock, limit } }, { stock }) =>
    stock.gainers({ us: us_stock, hk: hk_stock, limit }),
})
