import { permission } from '../../access.ts'
import { castFrom } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { AddressTwap } from '../../records/fill.ts'
import { Address, Coin, Limit, Type } from '../../schema.ts'

export const twapStatesLatest = operation({
  id: 'perpdex.twapStatesLatest',
  method: 'GET',
  path: '/hl/twap-states/:address/latest',
  title: 'Latest TWAPs of an address',
  about: 'Running and ended ones, newest first, with the executed size.',
  source: 'Action map; parameters from public documentation',
  envelope: B(),
  access: permission('HL_TWAP_STATES'),
  params: {
    path: Type.Object({ address: castFrom('addresses.twap', Address('whose TWAPs')) }),
    query: Type.Object({
      coin: Type.Optional(Coin()),
      limit: Limit({ default: 100, max: 100 }),
    }),
  },
  data: Type.Array(AddressTwap),
  assumed: ["The shape is our own choice: the venue's state of a TWAP, flat, with id and status."],
  examples: [
    { name: 'latest TWAPs', path: { address: '0x0000000000000000000000000000000000000001' } },
  ],
  answer: ({ path, query }, facts) => facts.twaps.latest(path.address, query),
})
