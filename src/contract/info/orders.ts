/** Types of `POST /info` about the orders of an account. */

import { Dex, dexFlaw } from '../dex.ts'
import { TwapChange } from '../records/fill.ts'
import { FrontendOrder, OpenOrder } from '../records/order.ts'
import { HistoricalOrder, OrderStatus } from '../records/order-history.ts'
import { Address, IdOf, Type } from '../schema.ts'
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

export const historicalOrders = infoType({
  type: 'historicalOrders',
  title: 'Changes of status of an account’s orders, newest first',
  most: 2000,
  request: Type.Object({ user: Address() }),
  data: Type.Array(HistoricalOrder),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts, most) => facts.users.orderHistory(user, most),
})

export const orderStatus = infoType({
  type: 'orderStatus',
  title: 'An order of an account by its id',
  request: Type.Object({
    user: Address(),
    oid: Type.Union([
      IdOf('order', Type.Integer({ minimum: 0, description: 'order id' })),
      Type.String({
        pattern: '^0x[0-9a-fA-F]{32}$',
        'x-form': '0x and 32 hexadecimal digits',
        description: "the client's own id, 0x and 32 hexadecimal digits",
      }),
    ]),
  }),
  data: OrderStatus,
  examples: [
    { user: '0x0000000000000000000000000000000000000001', oid: 1 },
    {
      user: '0x0000000000000000000000000000000000000001',
      oid: '0x00000000000000000000000000000001',
    },
  ],
  answer: ({ user, oid }, facts) => facts.users.orderStatus(user, oid),
})

/** Changes of TWAPs that are given at most. */
const CHANGES = 2000

export const twapHistory = infoType({
  type: 'twapHistory',
  profile: 'raw',
  title: 'Changes of status of an account’s TWAPs, newest first',
  request: Type.Object({ user: Address() }),
  data: Type.Array(TwapChange),
  examples: [{ user: '0x0000000000000000000000000000000000000001' }],
  answer: ({ user }, facts) => facts.twaps.history(user, CHANGES),
})
