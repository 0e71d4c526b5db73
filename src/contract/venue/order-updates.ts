import { publicAccess } from '../access.ts'
import { channel } from '../channel.ts'
import { VENUE_DIALECT } from '../dialect.ts'
import { OrderUpdate } from '../records/order.ts'
import { Address, Type } from '../schema.ts'

export const orderUpdates = channel({
  id: 'orderUpdates',
  dialect: VENUE_DIALECT,
  access: publicAccess,
  title: 'Orders of an account as they change',
  source: 'the perpetual venue, WebSocket',
  subscription: Type.Object({ type: Type.Literal('orderUpdates'), user: Address() }),
  key: ['user'],
  counted: false,
  data: Type.Array(OrderUpdate),
  examples: [{ type: 'orderUpdates', user: '0x0000000000000000000000000000000000000001' }],
  topics: ({ user }) => [`order/${user}`],
  snapshot: () => undefined,
  push: ({ user }, event, facts) => {
    if (event.kind !== 'order' || !event.first) return undefined
    const updates = facts.orders.updates(user, event.dex)
    return updates.length > 0 ? updates : undefined
  },
})
