import { signedAccess } from '../../access.ts'
import { A } from '../../envelope.ts'
import { meant } from '../../meaning.ts'
import { operation } from '../../operation.ts'
import { CoinProfile } from '../../records/coin.ts'
import { CommaList, Type } from '../../schema.ts'

export const coinConfig = operation({
  id: 'coin.config',
  method: 'GET',
  path: '/coin/config',
  title: 'Coin profiles',
  about: 'What a coin is, its white paper and site, how much there is and who got it.',
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
    'Unknown coin keys are left out of the answer.',
    'Descriptions are in English.',
    '`publishAmount` is the largest supply there can be, or the present one without such a limit.',
    'Shares of the distribution are numbers of percent without a sign.',
  ],
  examples: [{ name: 'two coins', query: { coin_list: 'bitcoin,ethereum' } }],
  answer: ({ query }, facts) => facts.coin.profiles(query.coin_list.split(',')),
})
