import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { Currency, IndexPrice } from '../../records/market-index.ts'
import { SymbolName, Type, WithDefault } from '../../schema.ts'

export const indexPrice = operation({
  id: 'index.price',
  method: 'GET',
  path: '/index/indexPrice',
  title: 'Value of an index',
  about: 'The value of an index, and its change in 24 hours.',
  source: 'Futures, index and coin data; Index',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      key: SymbolName('key of the list of indexes'),
      currency: WithDefault(Currency, 'usd'),
    }),
  },
  data: IndexPrice,
  refuses: ['index'],
  assumed: [
    'index-unknown',
    'index-without-price',
    'USD by default. Exchange rates are fixed; percentages and scores have no currency.',
    'All numbers are of the last 24 hours, minute by minute: `open` is the value 24 hours ago, ' +
      '`close` the present one. Fear and greed has one value a day, at 00:00 UTC.',
    '`up` and `down` are the numbers of coins in the index that rose and fell.',
  ],
  examples: [
    { name: 'fear and greed', query: { key: 'i:fgi:alternative', currency: 'usd' } },
    { name: 'bitcoin over all exchanges in yuan', query: { key: 'i:blx:bnc', currency: 'cny' } },
  ],
  answer: ({ query: { key, currency } }, { marketIndex }) =>
    mapSlices(marketIndex.price(key, currency), (price) => price ?? { refused: 'index' as const }),
})
