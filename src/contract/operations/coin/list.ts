import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { CoinItem } from '../../records/coin.ts'
import { Type } from '../../schema.ts'

export const coinList = operation({
  id: 'coin.list',
  method: 'GET',
  path: '/coin',
  title: 'Coin list',
  source: 'Futures, index and coin data',
  envelope: A,
  access: signedAccess,
  data: Type.Array(CoinItem),
  assumed: ['Only coins: shares and metals listed by builder dexes are not included.'],
  examples: [{ name: 'all coins' }],
  answer: (_, facts) => facts.coin.list(),
})
