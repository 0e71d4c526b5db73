import { permission } from '../../access.ts'
import { B } from '../../envelope.ts'
import { operation } from '../../operation.ts'
import { CurveWindow, PortfolioCurve } from '../../records/pnl-curve.ts'
import { Address, Type } from '../../schema.ts'

export const portfolio = operation({
  id: 'perpdex.portfolio',
  method: 'GET',
  path: '/hl/portfolio/:address/:window',
  title: 'Account value and PnL curves',
  about: 'What an account was worth and what it earned, at even steps of time and now.',
  source: 'Perpetual-DEX REST; fields by public documentation',
  envelope: B(),
  access: permission('HL_PORTFOLIO'),
  params: { path: Type.Object({ address: Address(), window: CurveWindow }) },
  data: PortfolioCurve,
  assumed: [
    'portfolio-builder-dexes',
    'Points stand 15 minutes, 1 hour, 4 hours or a day apart, and the last one is now.',
    'The account value is the net value, as `totalValue` of the account.',
    '`pnl` is 0 at the first point; it counts all sub-accounts, unrealised PnL, funding and fees.',
    'An account that began later has a first point before it began.',
    'Empty curves for an address that has done nothing yet.',
  ],
  examples: [
    {
      name: 'a week',
      path: { address: '0x0000000000000000000000000000000000000001', window: 'week' },
    },
  ],
  answer: ({ path }, facts) => facts.pnlCurves.portfolio(path.address, path.window),
})
