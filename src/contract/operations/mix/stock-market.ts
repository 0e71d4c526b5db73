import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { StockMarketDetail } from '../../records/mix.ts'
import { stockMarketDetail } from '../../responses/mix.ts'
import { Type } from '../../schema.ts'

export const mixStockMarket = operation({
  id: 'mix.stockMarket',
  method: 'GET',
  path: '/mix/stock-market',
  title: 'Stock market',
  about: 'Prices of crypto-related stocks: their index, or all of them.',
  source: 'Feature and signal data; Stock-market',
  envelope: A,
  access: signedAccess,
  data: Type.Object({ detail: StockMarketDetail }, { additionalProperties: false }),
  assumed: [
    'stock-market-form',
    'Prices and changes are those of the quotes of stocks, in the currency of their market.',
    '`degree` is the change since the day before, in percent.',
  ],
  examples: [{ name: 'now' }],
  answer: (_, facts) => mapSlices(stockMarketDetail(facts), (detail) => ({ detail })),
})
