import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { OpenPosition, PositionInterval, positionInterval } from '../../position-query.ts'
import { PositionPnls } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { Limit, Nullable, Type } from '../../schema.ts'

export const currentPositionPnl = operation({
  id: 'perpdex.currentPositionPnl',
  method: 'GET',
  path: '/hl/traders/:address/current-position-pnl/:coin',
  title: 'PnL of the open position',
  about: 'Its PnL at the end of each interval. null without an open position.',
  source: 'Perpetual-DEX REST; Position PnL record',
  envelope: B(),
  access: permission('HL_CURRENT_POSITION_PNL'),
  params: {
    path: OpenPosition,
    query: Type.Object({
      interval: PositionInterval,
      limit: Limit({ default: 20, max: 1000 }, 'intervals, the newest'),
    }),
  },
  data: Nullable(PositionPnls),
  refuses: ['missing'],
  assumed: ['position-interval'],
  examples: [
    {
      name: 'a position',
      path: { address: '0x0000000000000000000000000000000000000001', coin: 'BTC' },
      query: { interval: '1h', limit: '5' },
    },
  ],
  answer({ path, query }, facts) {
    const interval = positionInterval(query.interval, facts.moment.answers)
    if (isRefusal(interval)) return interval
    return facts.positions.pnls({ ...path, at: 'open' }, { interval, limit: query.limit })
  },
})
