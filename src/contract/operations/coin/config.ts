import { signedAccess } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { A, operation } from '../../operation.ts'
import { CoinProfile } from '../../records/coin.ts'
import { CommaList, Type } from '../../schema.ts'

export const coinConfig = operation({
  id: 'coin.config',
  method: 'GET',
  path: '/coin/config',
  title: 'Coin profiles',
  about:
    'Description of a coin, its white paper and site, its supply and the distribution of the ' +
    'supply.',
  source: 'Futures, index and coin data; Coin profile; Limits',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      coin_list: meant('symbol', CommaList(100, 'coin keys, comma-separated; 100 at most')),
    }),
  },
  data: Type.Array(CoinProfile),
  assumed: [
    'The answer omits unknown coin keys.',
    'Descriptions are in English.',
    '`publishAmount` is the maximum supply, or the present supply if there is no maximum.',
    'Shares of the distribution are in percent, without a percent sign.',
  ],
  examples: [{ name: 'two coins', query: { coin_list: 'bitcoin,ethereum' } }],
  answer: ({ query }, facts) => facts.coin.profiles(query.coin_list.split(',')),
})
