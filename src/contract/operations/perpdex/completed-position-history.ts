import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import {
  CloseTime,
  CompletedPosition,
  completedPositionTimes,
  OpenTime,
} from '../../position-query.ts'
import { PositionHistory } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { Type } from '../../schema.ts'

export const completedPositionHistory = operation({
  id: 'perpdex.completedPositionHistory',
  method: 'GET',
  path: '/hl/traders/:address/completed-position-history/:coin',
  title: 'History of a completed position',
  about: 'The position after each change; the last one is its close.',
  source: 'Perpetual-DEX REST; Position history record',
  envelope: B(),
  access: permission('HL_COMPLETED_POSITION_HISTORY'),
  params: {
    path: CompletedPosition,
    query: Type.Object({
      startTime: OpenTime,
      endTime: CloseTime,
    }),
  },
  data: PositionHistory,
  refuses: ['missing', 'position'],
  assumed: [
    'position-absent',
    'position-liquidation-name',
    'The snapshot of the close keeps the entry price, the leverage and the funding of before.',
    'At most 100 snapshots; if there are more changes, an evenly spread selection.',
  ],
  examples: [
    {
      name: 'a position',
      path: { address: '0x0000000000000000000000000000000000000001', coin: 'BTC' },
      query: { startTime: '1', endTime: '1' },
    },
  ],
  answer({ path, query }, facts) {
    const at = completedPositionTimes(query)
    if (isRefusal(at)) return at
    return facts.positions.history({ ...path, at }) ?? { refused: 'position' }
  },
})
