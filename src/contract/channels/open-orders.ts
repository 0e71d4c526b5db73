import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { Dex, isDex } from '../dex.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { FrontendOrder } from '../records/order.ts'
import { Address, Type } from '../schema.ts'

export const openOrders = channel({
  id: 'openOrders',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Open orders of an account',
  about: 'The whole list: immediately, and after each change.',
  source: 'Perpetual-DEX WebSocket; Events',
  subscription: Type.Object({
    type: Type.Literal('openOrders'),
    user: Address(),
    dex: Dex,
  }),
  key: ['user', 'dex'],
  counted: false,
  pushPolicy: { stateOf: 'market' },
  data: Type.Object({
    dex: Type.String(),
    user: Address(),
    orders: Type.Array(FrontendOrder),
  }),
  examples: [{ type: 'openOrders', user: '0x0000000000000000000000000000000000000001' }],
  assumed: ['address-channel-second-user', 'dex-unknown', 'republished-channels', 'stale-channels'],
  topics: ({ user }) => [`order/${user}`],
  exists: ({ dex = '' }, facts) => isDex(dex, facts),
  snapshot: ({ user, dex = '' }, facts) => ({
    dex,
    user,
    orders: facts.orders.frontendOpen(user, dex),
  }),
  push: ({ user, dex = '' }, event, facts) =>
    event.kind === 'order' && event.dex === dex
      ? { dex, user, orders: facts.orders.frontendOpen(user, dex) }
      : undefined,
})
