import { permission } from '../../access.ts'
import { castFrom } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { CompletedTrade } from '../../records/completed-trade.ts'
import { Address, Coin, Limit, Type } from '../../schema.ts'

export const completedTrades = operation({
  id: 'perpdex.completedTrades',
  method: 'GET',
  path: '/hl/traders/:address/completed-trades',
  title: 'Completed trades of an account',
  about:
    'Perpetual positions that are flat again, newest first. `openTime` and `closeTime` name a ' +
    'position to the endpoints of completed positions.',
  source: 'Perpetual-DEX REST; fields by public documentation',
  envelope: B(),
  access: permission('HL_COMPLETED_TRADES'),
  params: {
    path: Type.Object({ address: castFrom('completedPositions.address', Address('whose')) }),
    query: Type.Object({ coin: Type.Optional(Coin()), limit: Limit({ default: 100, max: 2000 }) }),
  },
  data: Type.Array(CompletedTrade),
  assumed: ['A flip closes one position and opens the next.', '`pnl` has no fees and no funding.'],
  examples: [
    {
      name: 'latest',
      path: { address: '0x0000000000000000000000000000000000000001' },
      query: { limit: '5' },
    },
  ],
  answer: ({ path, query }, facts) => facts.completedTrades.latest(path.address, query),
})
