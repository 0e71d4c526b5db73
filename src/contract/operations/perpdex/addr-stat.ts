import { permission } from '../../access.ts'
import { TraderPeriod } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { AddressStat } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { traderPeriod } from '../../responses/futures-history.ts'
import { Address, Type } from '../../schema.ts'

export const addrStat = operation({
  id: 'perpdex.addrStat',
  method: 'GET',
  path: '/hl/traders/:address/addr-stat',
  title: 'Figures of an account over a period',
  about: 'A period counts the positions that were closed in it.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_ADDR_STAT'),
  params: {
    path: Type.Object({ address: Address('whose') }),
    query: Type.Object({ period: TraderPeriod }),
  },
  data: AddressStat,
  refuses: ['missing'],
  assumed: ['trader-period'],
  examples: [
    {
      name: 'of a week',
      path: { address: '0x0000000000000000000000000000000000000001' },
      query: { period: '7' },
    },
  ],
  answer({ path, query }, facts) {
    const days = traderPeriod(query.period, facts.moment.answers)
    return isRefusal(days) ? days : facts.completedTrades.stat(path.address, days)
  },
})
