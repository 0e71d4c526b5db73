import { permission } from '../../access.ts'
import { rowsInSlices } from '../../address-batch.ts'
import { DaysBack } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { TraderStatistics } from '../../records/trader-search.ts'
import { Address, Batch, Type, WithDefault } from '../../schema.ts'

export const tradersStatistics = operation({
  id: 'perpdex.tradersStatistics',
  method: 'POST',
  path: '/hl/traders/statistics',
  title: 'Trading results of accounts in a period',
  about:
    'Positions closed in the period, their realised PnL, and the present value of the account.',
  source: 'Perpetual-DEX REST; Statistics',
  envelope: B(),
  access: permission('HL_TRADERS_STATISTICS'),
  params: {
    body: Type.Object({
      period: WithDefault(DaysBack(), 7),
      pnlList: WithDefault(Type.Boolean({ description: 'with the PnL curve' }), false),
      addresses: Batch(Address(), 50, 'accounts; those after the first 50 are cut'),
    }),
  },
  data: Type.Array(TraderStatistics),
  assumed: [
    'pnl-point-names',
    'account-mode',
    'A position counts in the period in which it was closed; builder dexes are included.',
    'A position that closed with exactly zero PnL is not a profit.',
    '`pnlList` is null unless requested.',
  ],
  examples: [
    {
      name: 'a week',
      body: { addresses: ['0x0000000000000000000000000000000000000001'], period: 7, pnlList: true },
    },
  ],
  answer: ({ body: { addresses, period, pnlList } }, facts) =>
    rowsInSlices(addresses, (some) => facts.traders.statistics(some, period, pnlList)),
})
