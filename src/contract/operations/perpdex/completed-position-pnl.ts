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
import { PositionPnls } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { Limit, Type } from '../../schema.ts'

export const completedPositionPnl = operation({
  id: 'perpdex.completedPositionPnl',
  method: 'GET',
  path: '/hl/traders/:address/completed-position-pnl/:coin',
  title: 'PnL of a completed position',
  about: 'Its PnL at the end of each interval; the last one ends flat.',
  source: 'Perpetual-DEX REST; Position PnL record',
  envelope: B(),
  access: permission('HL_COMPLETED_POSITION_PNL'),
  params: {
    path: CompletedPosition,
    query: Type.Object({
      interval: PositionInterval,
      limit: Limit({ default: 20, max: 1000 }, 'intervals, the newest'),
      startTime: OpenTime,
      endTime: CloseTime,
    }),
  },
  data: PositionPnls,
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
    return facts.positions.pnls({ ...path, at }, buckets) ?? { refused: 'position' }
  },
})
