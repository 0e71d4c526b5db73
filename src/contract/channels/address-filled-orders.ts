import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { FILLED_ORDERS_DIALECT } from '../dialect.ts'
import { FilledOrder } from '../records/order.ts'
import { spelledStatus } from '../responses/order-status.ts'
import { Address, Type } from '../schema.ts'

export const addressFilledOrders = channel({
  id: 'addressFilledOrders',
  dialect: FILLED_ORDERS_DIALECT,
  access: permission('HL_WS_FILLED_ORDERS'),
  title: 'Filled orders of many accounts',
  source: 'Perpetual-DEX WebSocket; Events',
  subscription: Type.Object({ address: Address() }),
  key: ['address'],
  counted: false,
  data: FilledOrder,
  examples: [{ address: '0x0000000000000000000000000000000000000001' }],
  topics: ({ address }) => [`order/${address}`],
  snapshot: () => undefined,
  push(_, event, { moment }) {
    if (event.kind !== 'order' || !event.ended) return undefined
    const status = spelledStatus(event.ended.status, 'native', moment.answers)
    // Frames are written once for all subscribers of the same order.
    return status === event.ended.status ? event.ended : { ...event.ended, status }
  },
})
