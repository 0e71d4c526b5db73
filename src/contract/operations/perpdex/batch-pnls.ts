import { permission } from '../../access.ts'
import { rowsInSlices } from '../../address-batch.ts'
import { PnlDays } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { AddressPnls, CurveScope } from '../../records/completed-trade.ts'
import { Address, Batch, Type, WithDefault } from '../../schema.ts'

export const batchPnls = operation({
  id: 'perpdex.batchPnls',
  method: 'POST',
  path: '/hl/batch-pnls',
  title: 'PnL curves of several accounts',
  source: 'Action map; the body as public clients send it',
  envelope: B(),
  access: permission('HL_BATCH_PNLS'),
  params: {
    body: Type.Object({
      addresses: Batch(Address(), 50, 'accounts; those after the first 50 are cut'),
      period: PnlDays,
      scope: WithDefault(CurveScope, 'all'),
    }),
  },
  data: Type.Array(AddressPnls),
  assumed: [
    'pnl-point-names',
    'The shape is our own choice: an object for each address, in the requested order.',
    'An address without activity has no points.',
  ],
  examples: [
    {
      name: 'an account',
      body: { addresses: ['0x0000000000000000000000000000000000000001'], period: 7, scope: 'perp' },
    },
  ],
  answer: ({ body: { addresses, period, scope } }, facts) =>
    rowsInSlices(addresses, (some) => facts.pnlCurves.batchPnls(some, period, scope)),
})
