import { permission } from '../../access.ts'
import { rowsInSlices } from '../../address-batch.ts'
import { BatchWindowDays } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { AddressNetFlow } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { windowDays } from '../../responses/futures-history.ts'
import { Address, Batch, Type } from '../../schema.ts'

export const batchNetFlow = operation({
  id: 'perpdex.batchNetFlow',
  method: 'POST',
  path: '/hl/ledger-updates/batch-net-flow',
  title: 'Net inflow of several accounts',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_BATCH_LEDGER_UPDATES_NET_FLOW'),
  params: {
    body: Type.Object({
      addresses: Batch(Address(), 50, 'accounts; those after the first 50 are cut'),
      days: BatchWindowDays,
    }),
  },
  data: Type.Array(AddressNetFlow),
  refuses: ['missing'],
  assumed: ['window-days', 'At most 50 addresses, as in the other batches of analytics.'],
  examples: [
    {
      name: 'an account',
      body: { addresses: ['0x0000000000000000000000000000000000000001'], days: 0 },
    },
  ],
  answer({ body }, facts) {
    const days = windowDays(body.days, facts.moment.answers)
    if (isRefusal(days)) return days
    return rowsInSlices(body.addresses, (some) => facts.pnlCurves.batchNetFlow(some, days))
  },
})
