import { signedAccess } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { A, operation } from '../../operation.ts'
import { CoinTicker, OlderCoinTicker } from '../../records/coin.ts'
import { CommaList, Type } from '../../schema.ts'

export const coinTicker = operation({
  id: 'coin.ticker',
  method: 'GET',
  path: '/coin/ticker',
  title: 'Coin tickers',
  source: 'Futures, index and coin data; Limits',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      coin_list: meant('symbol', CommaList(100, 'coin keys, comma-separated; 100 at most')),
    }),
  },
  data: Type.Array(Type.Union([CoinTicker, OlderCoinTicker])),
  assumed: [
    'coin-ticker-variant',
    'The answer omits unknown coin keys.',
    'Turnover, volume and net inflow include all pairs of the coin, perpetual and spot, on all ' +
      'exchanges; prices are those of the perpetual venue.',
    'Funding rates of the older form are of eight hours, over all exchanges; 0 without contracts.',
  ],
  examples: [{ name: 'two coins', query: { coin_list: 'bitcoin,ethereum' } }],
  answer: ({ query }, { coin, moment }) =>
    moment.answers['coin-ticker-variant'] === 'older'
      ? coin.olderTickers(query.coin_list.split(','))
      : coin.tickers(query.coin_list.split(',')),
})
