import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { TopOpenOrder } from '../../records/order.ts'
import { Coin, Decimal, Limit, Type, WithDefault, withKeywords } from '../../schema.ts'

export const topOpenOrders = operation({
  id: 'perpdex.topOpenOrders',
  method: 'GET',
  path: '/hl/orders/top-open-orders',
  title: 'Largest open orders',
  about: 'Of all accounts, by the value of the open part, largest first.',
  source: 'Perpetual-DEX REST; Perpetual-DEX records',
  envelope: B(),
  access: permission('HL_TOP_OPEN_ORDERS'),
  params: {
    query: Type.Object({
      min_val: WithDefault(
        withKeywords(Decimal('value at least, USD'), { 'x-alias': ['minVal'] }),
        '0',
      ),
      coin: Type.Optional(Coin()),
      limit: Limit({ default: 10, max: 100 }),
    }),
  },
  data: Type.Array(TopOpenOrder),
  assumed: [
    'open-order-triggers',
    'The orders of all accounts make the book: those of a level have its size and its number, so ' +
      'without triggers their sums are those of the depth endpoints.',
    'distance-sign',
    '`distPct` is rounded to four decimals, null before the first trade.',
    'By value, largest first; `limit` is 10 by default and is cut to 100, as for top trades.',
  ],
  examples: [
    { name: 'of all coins' },
    { name: 'large ones of a coin', query: { coin: 'BTC', min_val: '10000', limit: '5' } },
  ],
  answer: ({ query: { min_val, ...query } }, facts) =>
    facts.orders.largestOpen({ ...query, minUsd: min_val }),
})
