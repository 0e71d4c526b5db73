import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import {
  CloseTime,
  CompletedPosition,
  completedPositionTimes,
  OpenTime,
  PositionInterval,
  positionInterval,
} from '../../position-query.ts'
import { PositionExecutions } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { Limit, Type } from '../../schema.ts'

export const completedPositionExecutions = operation({
  id: 'perpdex.completedPositionExecutions',
  method: 'GET',
  path: '/hl/traders/:address/completed-position-executions/:coin',
  title: 'Executions on a completed position',
  about: 'Buys and sells by interval; intervals without any are omitted.',
  source: 'Perpetual-DEX REST; Position executions record',
  envelope: B(),
  access: permission('HL_COMPLETED_POSITION_EXECUTIONS'),
  params: {
    path: CompletedPosition,
    query: Type.Object({
      interval: PositionInterval,
      limit: Limit({ default: 20, max: 1000 }, 'intervals, the newest'),
      startTime: OpenTime,
      endTime: CloseTime,
    }),
  },
  data: PositionExecutions,
  refuses: ['missing', 'position'],
  assumed: ['position-interval', 'position-absent'],
  examples: [
    {
      name: 'a position',
      path: { address: '0x0000000000000000000000000000000000000001', coin: 'BTC' },
      query: { startTime: '1', endTime: '1', interval: '1h' },
    },
  ],
  answer({ path, query }, facts) {
    const at = completedPositionTimes(query)
    if (isRefusal(at)) return at
    const interval = positionInterval(query.interval, facts.moment.answers)
    if (isRefusal(interval)) return interval
    const buckets = { interval, limit: query.limit }
    return facts.positions.executions({ ...path, at }, buckets) ?? { refused: 'position' }
  },
})
