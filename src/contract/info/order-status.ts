import { OrderStatus } from '../records/order-history.ts'
import { Address, IdOf, Type } from '../schema.ts'
import { infoType } from './info-type.ts'

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
