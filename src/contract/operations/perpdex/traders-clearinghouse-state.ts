import { permission } from '../../access.ts'
import { answeredAddresses, rowsInSlices } from '../../address-batch.ts'
import { DefaultedDex, dexFlaw } from '../../dex.ts'
import { B, operation } from '../../operation.ts'
import { AddressState } from '../../records/account-state.ts'
import { Address, Batch, Type } from '../../schema.ts'

export const tradersClearinghouseState = operation({
  id: 'perpdex.tradersClearinghouseState',
  method: 'POST',
  path: '/hl/traders/clearinghouse-state',
  title: 'States of perpetual accounts',
  source: 'Perpetual-DEX REST; Limits',
  envelope: B(),
  access: permission('HL_INFO_BATCH_CLEARINGHOUSE_STATE'),
  params: {
    body: Type.Object({
      addresses: Batch(Address(), 2000, 'accounts; those after the first 2000 are cut'),
      dex: DefaultedDex,
    }),
  },
  data: Type.Array(AddressState),
  refuses: ['invalid'],
  assumed: ['batch-most', 'dex-unknown', 'A state of zeros for an unknown address.'],
  examples: [
    { name: 'an account', body: { addresses: ['0x0000000000000000000000000000000000000001'] } },
  ],
  answer: ({ body: { addresses, dex = '' } }, facts) =>
    dexFlaw(dex, facts) ??
    rowsInSlices(answeredAddresses(addresses, facts.moment.answers), (some) =>
      facts.accounts.states(some, dex),
    ),
})
