import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { CurveWindow, PortfolioCurve } from '../../records/completed-trade.ts'
import { Address, Type } from '../../schema.ts'

export const portfolio = operation({
  id: 'perpdex.portfolio',
  method: 'GET',
  path: '/hl/portfolio/:address/:window',
  title: 'Account value and PnL curves',
  about: 'The value and the earnings of an account, at regular times and now.',
  source: 'Perpetual-DEX REST; fields by public documentation',
  envelope: B(),
  access: permission('HL_PORTFOLIO'),
  params: { path: Type.Object({ address: Address(), window: CurveWindow }) },
  data: PortfolioCurve,
  assumed: [
    'portfolio-builder-dexes',
    'Points are 15 minutes, 1 hour, 4 hours or a day apart, and the last one is now.',
    'The account value is the net value, as `totalValue` of the account.',
    '`pnl` is 0 at the first point; it counts all sub-accounts, unrealised PnL, funding and fees.',
    'An account that started later has a first point before its start.',
    'Empty curves for an address without activity.',
  ],
  examples: [
    {
      name: 'a week',
      path: { address: '0x0000000000000000000000000000000000000001', window: 'week' },
    },
  ],
  answer: ({ path }, facts) => facts.pnlCurves.portfolio(path.address, path.window),
})
