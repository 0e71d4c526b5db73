import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { OrderInForm } from '../../records/order.ts'
import { Address, Coin, Limit, Type } from '../../schema.ts'

export const filledOrdersLatest = operation({
  id: 'perpdex.filledOrdersLatest',
  method: 'GET',
  path: '/hl/filled-orders/:address/latest',
  title: 'Latest filled orders of an address',
  about: 'Orders that are at least partly filled, newest first.',
  source: 'Perpetual-DEX REST; Limits',
  envelope: B(),
  access: permission('HL_FILLED_ORDERS'),
  params: {
    path: Type.Object({ address: Address('whose orders') }),
    query: Type.Object({ coin: Type.Optional(Coin()), limit: Limit({ default: 1000, max: 1000 }) }),
  },
  data: Type.Array(OrderInForm),
  assumed: ['order-form'],
  examples: [
    { name: 'latest orders', path: { address: '0x0000000000000000000000000000000000000001' } },
  ],
  answer: ({ path, query }, facts) => facts.orders.filledLatest(path.address, query),
})
