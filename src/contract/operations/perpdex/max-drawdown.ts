import { permission } from '../../access.ts'
import { WindowDays } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { Drawdown } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { windowDays } from '../../responses/futures-history.ts'
import { Address, OneOf, Type, WithDefault } from '../../schema.ts'

export const maxDrawdown = operation({
  id: 'perpdex.maxDrawdown',
  method: 'GET',
  path: '/hl/max-drawdown/:address',
  title: 'Maximum drawdown of an account',
  about:
    'The largest fall from a maximum of the PnL, as a fraction of the account value at that ' +
    'maximum.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_MAX_DRAWDOWN'),
  params: {
    path: Type.Object({ address: Address() }),
    query: Type.Object({
      days: WindowDays,
      scope: WithDefault(OneOf(['perp'], 'accounts of perpetuals'), 'perp'),
    }),
  },
  data: Drawdown,
  refuses: ['missing'],
  assumed: [
    'window-days',
    'drawdown-net-in',
    '`high` and `low` are account values at full hours or now, including accounts on builder ' +
      'dexes.',
    'Deposits and withdrawals are not gains or losses: the drawdown is `high` plus net inflow ' +
      'minus `low`, as a fraction of `high` plus net inflow. An outflow does not make that whole ' +
      'smaller, and no more than the whole is lost.',
    'Without a drawdown, both are at the present time, and the drawdown is 0.',
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
    return isRefusal(days) ? days : facts.pnlCurves.drawdown(path.address, days)
  },
})
