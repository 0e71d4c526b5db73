import { permission } from '../../access.ts'
import { PnlDays } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { PnlCurve } from '../../records/completed-trade.ts'
import { Address, Type } from '../../schema.ts'

export const pnls = operation({
  id: 'perpdex.pnls',
  method: 'GET',
  path: '/hl/pnls/:address',
  title: 'PnL curve',
  about: 'Cumulative PnL of all sub-accounts, with unrealised PnL, funding and fees, from 0.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_PNLS'),
  params: {
    path: Type.Object({ address: Address() }),
    query: Type.Object({ period: PnlDays }),
  },
  data: PnlCurve,
  assumed: [
    'pnl-point-names',
    'Points as in the portfolio of the same window.',
    'Empty for an address without activity.',
  ],
  examples: [
    {
      name: 'a week',
      path: { address: '0x0000000000000000000000000000000000000001' },
      query: { period: '7' },
    },
  ],
  answer: ({ path, query }, facts) => facts.pnlCurves.pnls(path.address, query.period, 'all'),
})
