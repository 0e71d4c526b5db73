import { Dex, dexFlaw } from '../dex.ts'
import { OpenOrder } from '../records/order.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const openOrders = infoType({
  type: 'openOrders',
  title: 'Open orders of an account',
  request: Type.Object({
    user: Address(),
    dex: Dex,
  }),
  data: Type.Array(OpenOrder),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user, dex = '' }, facts) => dexFlaw(dex, facts) ?? facts.orders.open(user, dex),
})
