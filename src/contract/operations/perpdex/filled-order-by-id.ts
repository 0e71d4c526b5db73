import { permission } from '../../access.ts'
import { castFrom } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { OrderInForm } from '../../records/order.ts'
import { IdOf, Nullable, Type } from '../../schema.ts'

export const filledOrderById = operation({
  id: 'perpdex.filledOrderById',
  method: 'GET',
  path: '/hl/filled-orders/oid/:oid',
  title: 'A filled order',
  about: 'null if the order does not exist or is not filled at all.',
  source: 'Perpetual-DEX REST; Errors',
  envelope: B(),
  access: permission('HL_FILLED_ORDERS'),
  params: {
    path: Type.Object({
      oid: IdOf('order', castFrom('oids.filled', Type.String({ description: 'order id' }))),
    }),
  },
  data: Nullable(OrderInForm),
  assumed: ['order-form'],
  examples: [{ name: 'an order', path: { oid: '1' } }],
  answer: ({ path }, facts) => facts.orders.filledById(path.oid),
})
