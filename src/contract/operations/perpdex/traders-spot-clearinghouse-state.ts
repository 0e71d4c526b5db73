import { permission } from '../../access.ts'
import { answeredAddresses, rowsInSlices } from '../../address-batch.ts'
import { B, operation } from '../../operation.ts'
import { AddressSpotState } from '../../records/account-state.ts'
import { Address, Batch, Type } from '../../schema.ts'

export const tradersSpotClearinghouseState = operation({
  id: 'perpdex.tradersSpotClearinghouseState',
  method: 'POST',
  path: '/hl/traders/spot-clearinghouse-state',
  title: 'Balances of spot accounts',
  source: 'Perpetual-DEX REST; Limits',
  envelope: B(),
  access: permission('HL_INFO_BATCH_SPOT_CLEARINGHOUSE_STATE'),
  params: {
    body: Type.Object({
      addresses: Batch(Address(), 2000, 'accounts; those after the first 2000 are cut'),
    }),
  },
  data: Type.Array(AddressSpotState),
  assumed: ['batch-most', 'An unknown address has no balances.'],
  examples: [
    { name: 'an account', body: { addresses: ['0x0000000000000000000000000000000000000001'] } },
  ],
  answer: ({ body }, facts) =>
    rowsInSlices(answeredAddresses(body.addresses, facts.moment.answers), (some) =>
      some.map((address) => ({
        address: address.toLowerCase(),
        spotState: facts.users.spot(address),
      })),
    ),
})
