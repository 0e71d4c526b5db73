import { permission } from '../../access.ts'
import { rowsInSlices } from '../../address-batch.ts'
import { BatchWindowDays } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { AddressDrawdown } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { windowDays } from '../../responses/futures-history.ts'
import { Address, Batch, OneOf, Type, WithDefault } from '../../schema.ts'

export const batchMaxDrawdown = operation({
  id: 'perpdex.batchMaxDrawdown',
  method: 'POST',
  path: '/hl/batch-max-drawdown',
  title: 'Maximum drawdowns of several accounts',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_BATCH_MAX_DRAWDOWN'),
  params: {
    body: Type.Object({
      addresses: Batch(Address(), 50, 'accounts; those after the first 50 are cut'),
      days: BatchWindowDays,
      scope: WithDefault(OneOf(['perp'], 'accounts of perpetuals'), 'perp'),
    }),
  },
  data: Type.Array(AddressDrawdown),
  refuses: ['missing'],
  assumed: ['window-days', 'drawdown-net-in', 'batch-drawdown-keys'],
  examples: [
    {
      name: 'an account',
      body: { addresses: ['0x0000000000000000000000000000000000000001'], days: 7 },
    },
  ],
  answer({ body }, facts) {
    const days = windowDays(body.days, facts.moment.answers)
    if (isRefusal(days)) return days
    return rowsInSlices(body.addresses, (some) => facts.pnlCurves.batchDrawdown(some, days))
  },
})
