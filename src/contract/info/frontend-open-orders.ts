import { Dex, dexFlaw } from '../dex.ts'
import { FrontendOrder } from '../records/order.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const frontendOpenOrders = infoType({
  type: 'frontendOpenOrders',
  title: 'Open orders of an account with all their terms',
  request: Type.Object({
    user: Address(),
    dex: Dex,
  }),
  data: Type.Array(FrontendOrder),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user, dex = '' }, facts) =>
    dexFlaw(dex, facts) ?? facts.orders.frontendOpen(user, dex),
})
