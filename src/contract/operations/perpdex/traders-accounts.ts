import { permission } from '../../access.ts'
import { answeredAddresses, rowsInSlices } from '../../address-batch.ts'
import { B, operation } from '../../operation.ts'
import { TraderAccount } from '../../records/trader-search.ts'
import { Address, Batch, Type } from '../../schema.ts'

export const tradersAccounts = operation({
  id: 'perpdex.tradersAccounts',
  method: 'POST',
  path: '/hl/traders/accounts',
  title: 'Net values of accounts',
  about: '`totalValue` plus `builderPerpValue` is the whole value, without double counting.',
  source: 'Perpetual-DEX REST; Account',
  envelope: B(),
  access: permission('HL_TRADERS_ACCOUNTS'),
  params: {
    body: Type.Object({
      addresses: Batch(Address(), 2000, 'accounts; those after the first 2000 are cut'),
    }),
  },
  data: Type.Array(TraderAccount),
  assumed: [
    'batch-most',
    'account-mode',
    'There is no staking and there are no vault shares here.',
    'Margin, leverage and open positions are those of the main dex, as `perpValue` is.',
    '`lastOperationAt` is the newest order placed or fill.',
    '`leverage` is always null, as observed.',
    'Zeros for an unknown address.',
  ],
  examples: [
    { name: 'an account', body: { addresses: ['0x0000000000000000000000000000000000000001'] } },
  ],
  answer: ({ body }, facts) =>
    rowsInSlices(answeredAddresses(body.addresses, facts.moment.answers), (some) =>
      facts.traders.accounts(some),
    ),
})
