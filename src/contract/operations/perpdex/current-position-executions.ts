import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { OpenPosition, PositionInterval, positionInterval } from '../../position-query.ts'
import { PositionExecutions } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { Limit, Nullable, Type } from '../../schema.ts'

export const currentPositionExecutions = operation({
  id: 'perpdex.currentPositionExecutions',
  method: 'GET',
  path: '/hl/traders/:address/current-position-executions/:coin',
  title: 'Executions on the open position',
  about:
    'Buys and sells by interval; intervals without any are omitted. ' +
    'null without an open position.',
  source: 'Perpetual-DEX REST; Position executions record',
  envelope: B(),
  access: permission('HL_CURRENT_POSITION_EXECUTIONS'),
  params: {
    path: OpenPosition,
    query: Type.Object({
      interval: PositionInterval,
      limit: Limit({ default: 20, max: 1000 }, 'intervals, the newest'),
    }),
  },
  data: Nullable(PositionExecutions),
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
    return facts.positions.executions({ ...path, at: 'open' }, { interval, limit: query.limit })
  },
})
