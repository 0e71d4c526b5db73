import { permission } from '../../access.ts'
import { WindowDays } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { NetFlow } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { windowDays } from '../../responses/futures-history.ts'
import { Address, Type } from '../../schema.ts'

export const netFlow = operation({
  id: 'perpdex.netFlow',
  method: 'GET',
  path: '/hl/ledger-updates/net-flow/:address',
  title: 'Net inflow of an account',
  about: 'Deposits minus withdrawals; negative if withdrawals are larger.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_LEDGER_UPDATES_NET_FLOW'),
  params: {
    path: Type.Object({ address: Address() }),
    query: Type.Object({ days: WindowDays }),
  },
  data: NetFlow,
  refuses: ['missing'],
  assumed: [
    'window-days',
    'A transfer between spot and perpetuals counts on both sides, so the sum is the inflow from ' +
      'outside; accounts on builder dexes count as perpetuals.',
    'Zeros for an unknown address.',
  ],
  examples: [
    {
      name: 'a week',
      path: { address: '0x0000000000000000000000000000000000000001' },
      query: { days: '7' },
    },
  ],
  answer({ path, query }, facts) {
    const days = windowDays(query.days, facts.moment.answers)
    return isRefusal(days) ? days : facts.pnlCurves.netFlow(path.address, days)
  },
})
