import { HistoricalOrder } from '../records/order-history.ts'
import { Address, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

export const historicalOrders = infoType({
  type: 'historicalOrders',
  title: 'Changes of status of an account’s orders, newest first',
  most: 2000,
  request: Type.Object({ user: Address() }),
  data: Type.Array(HistoricalOrder),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts, most) => facts.users.orderHistory(user, most),
})
