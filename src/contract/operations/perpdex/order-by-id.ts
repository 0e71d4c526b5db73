import { permission } from '../../access.ts'
import { castFrom } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { OrderInForm } from '../../records/order.ts'
import { IdOf, Nullable, Type } from '../../schema.ts'

export const orderById = operation({
  id: 'perpdex.orderById',
  method: 'GET',
  path: '/hl/orders/oid/:oid',
  title: 'An order',
  about: 'null if the order does not exist.',
  source: 'Perpetual-DEX REST; Errors',
  envelope: B(),
  access: permission('HL_ORDERS'),
  params: {
    path: Type.Object({
      oid: IdOf('order', castFrom('oids.filled', Type.String({ description: 'order id' }))),
    }),
  },
  data: Nullable(OrderInForm),
  assumed: ['order-form', 'order-status-spelling'],
  examples: [{ name: 'an order', path: { oid: '1' } }],
  answer: ({ path }, facts) => facts.orders.byId(path.oid),
})
