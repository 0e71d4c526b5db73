import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { OpenPosition } from '../../position-query.ts'
import { PositionHistory } from '../../records/completed-trade.ts'
import { Nullable } from '../../schema.ts'

export const currentPositionHistory = operation({
  id: 'perpdex.currentPositionHistory',
  method: 'GET',
  path: '/hl/traders/:address/current-position-history/:coin',
  title: 'History of the open position',
  about: 'The position after each change, and now. null without an open position.',
  source: 'Perpetual-DEX REST; Position history record',
  envelope: B(),
  access: permission('HL_CURRENT_POSITION_HISTORY'),
  params: {
    path: OpenPosition,
  },
  data: Nullable(PositionHistory),
  assumed: [
    'position-liquidation-name',
    'At most 100 snapshots; if there are more changes, an evenly spread selection.',
  ],
  examples: [
    {
      name: 'a position',
      path: { address: '0x0000000000000000000000000000000000000001', coin: 'BTC' },
    },
  ],
  answer: ({ path }, facts) => facts.positions.history({ ...path, at: 'open' }),
})
