import { permission } from '../../access.ts'
import { TraderPeriod } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { BestTrade } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { traderPeriod } from '../../responses/futures-history.ts'
import { Address, Limit, Type } from '../../schema.ts'

export const bestTrades = operation({
  id: 'perpdex.bestTrades',
  method: 'GET',
  path: '/hl/traders/:address/best-trades',
  title: 'Best completed trades of an account',
  about: 'The positions closed in the period, by PnL, best first.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_BEST_TRADES'),
  params: {
    path: Type.Object({ address: Address('whose') }),
    query: Type.Object({ period: TraderPeriod, limit: Limit({ default: 10, max: 100 }) }),
  },
  data: Type.Array(BestTrade),
  refuses: ['missing'],
  assumed: ['trader-period'],
  examples: [
    {
      name: 'of a month',
      path: { address: '0x0000000000000000000000000000000000000001' },
      query: { period: '30', limit: '3' },
    },
  ],
  answer({ path, query }, facts) {
    const days = traderPeriod(query.period, facts.moment.answers)
    return isRefusal(days) ? days : facts.completedTrades.best(path.address, days, query.limit)
  },
})
