import { SpotState } from '../records/spot-state.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const spotClearinghouseState = infoType({
  type: 'spotClearinghouseState',
  title: 'Balances of a spot account',
  request: Type.Object({
    user: Address(),
    dex: Type.Optional(Type.String({ description: 'of no effect: there is one spot account' })),
  }),
  data: SpotState,
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.users.spot(user),
})
