import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { OrderInForm } from '../../records/order.ts'
import { Address, Coin, Limit, Type } from '../../schema.ts'

export const ordersLatest = operation({
  id: 'perpdex.ordersLatest',
  method: 'GET',
  path: '/hl/orders/:address/latest',
  title: 'Latest orders of an address',
  about: 'Including cancelled ones, newest first.',
  source: 'Perpetual-DEX REST; Limits',
  envelope: B(),
  access: permission('HL_ORDERS'),
  params: {
    path: Type.Object({ address: Address('whose orders') }),
    query: Type.Object({ coin: Type.Optional(Coin()), limit: Limit({ default: 2000, max: 2000 }) }),
  },
  data: Type.Array(OrderInForm),
  assumed: ['order-form', 'order-status-spelling'],
  examples: [
    { name: 'latest orders', path: { address: '0x0000000000000000000000000000000000000001' } },
  ],
  answer: ({ path, query }, facts) => facts.orders.latest(path.address, query),
})
