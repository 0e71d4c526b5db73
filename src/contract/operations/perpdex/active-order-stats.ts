import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { ActiveOrderStats } from '../../records/order.ts'
import { Coin, Decimal, Type, WithDefault, withKeywords } from '../../schema.ts'

export const activeOrderStats = operation({
  id: 'perpdex.activeOrderStats',
  method: 'GET',
  path: '/hl/orders/active-stats',
  title: 'Number and value of open orders',
  about: 'Bids and asks of all accounts, and the large ones among them.',
  source: 'Perpetual-DEX REST; Perpetual-DEX records',
  envelope: B(),
  access: permission('HL_ACTIVE_STATS'),
  params: {
    query: Type.Object({
      whale_threshold: WithDefault(
        withKeywords(Decimal('order value from which an order is large, USD'), {
          'x-alias': ['whaleThreshold'],
        }),
        '100000',
      ),
      coin: Type.Optional(Coin()),
    }),
  },
  data: ActiveOrderStats,
  assumed: [
    'open-order-triggers',
    'The orders of all accounts make the book: those of a level have its size and its number, so ' +
      'without triggers their sums are those of the depth endpoints.',
    '`whale_threshold` is 100,000 USD by default.',
    'Ratios are fractions, rounded to six decimals; 0 without orders.',
  ],
  examples: [
    { name: 'of all coins' },
    { name: 'of a coin', query: { coin: 'BTC', whale_threshold: '50000' } },
  ],
  answer: ({ query: { whale_threshold, coin } }, facts) =>
    facts.orders.activeStats({ coin, whaleUsd: whale_threshold }),
})
