import { permission } from '../../access.ts'
import { rowsInSlices } from '../../address-batch.ts'
import { OneOfDays } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { BatchAddressStat } from '../../records/completed-trade.ts'
import { Address, Batch, Type, WithDefault } from '../../schema.ts'

export const batchAddrStat = operation({
  id: 'perpdex.batchAddrStat',
  method: 'POST',
  path: '/hl/traders/batch-addr-stat',
  title: 'Figures of several accounts over a period',
  about: '`avgPosDuration` is a number here, and text in the figures of one account.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_BATCH_ADDR_STAT'),
  params: {
    body: Type.Object({
      addresses: Batch(Address(), 50, 'accounts; those after the first 50 are cut'),
      period: WithDefault(OneOfDays([1, 7, 30, 0], 'days back, 0 for all time'), 7),
    }),
  },
  data: Type.Array(BatchAddressStat),
  examples: [
    {
      name: 'an account',
      body: { addresses: ['0x0000000000000000000000000000000000000001'], period: 30 },
    },
  ],
  answer: ({ body }, facts) =>
    rowsInSlices(body.addresses, (some) => facts.completedTrades.stats(some, body.period)),
})
