import { permission } from '../../access.ts'
import { DaysBack } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { CoinPerformance } from '../../records/completed-trade.ts'
import { Address, Limit, Type, WithDefault } from '../../schema.ts'

export const performanceByCoin = operation({
  id: 'perpdex.performanceByCoin',
  method: 'GET',
  path: '/hl/traders/:address/performance-by-coin',
  title: 'Results of an account by coin',
  about: 'The positions closed in the period, by total PnL, best first.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_PERFORMANCE_BY_COIN'),
  params: {
    path: Type.Object({ address: Address('whose') }),
    query: Type.Object({
      period: WithDefault(DaysBack(), 0),
      limit: Limit({ default: 10, max: 100 }),
    }),
  },
  data: Type.Array(CoinPerformance),
  assumed: ['`winRate` is in percent here, as documented.', 'All time by default.'],
  examples: [
    {
      name: 'of all time',
      path: { address: '0x0000000000000000000000000000000000000001' },
      query: { period: '0' },
    },
  ],
  answer: ({ path, query }, facts) =>
    facts.completedTrades.byCoin(path.address, query.period, query.limit),
})
