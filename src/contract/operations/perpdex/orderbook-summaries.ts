import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { BookSummary } from '../../records/order-flow.ts'
import { Coin, Lookback, Type, WithDefault } from '../../schema.ts'
import { spanMs } from '../../span.ts'

export const orderbookSummaries = operation({
  id: 'perpdex.orderbookSummaries',
  method: 'GET',
  path: '/hl/orderbooks/history-summaries/:coin',
  title: 'History of order book summaries',
  about:
    'Sums over all bids and over all asks. Its times are seconds. The last row is the present.',
  source: 'Action map; fields by public documentation',
  envelope: B(),
  access: permission('HL_ORDERBOOKS_HISTORY_SUMMARIES'),
  params: {
    path: Type.Object({ coin: Coin() }),
    query: Type.Object({
      interval: WithDefault(Lookback('1h', '180d'), '1d'),
    }),
  },
  data: Type.Array(BookSummary),
  assumed: [
    'book-summary-unit',
    'Oldest first, at whole steps of UTC time, twenty-four or more per window, and at the ' +
      'present time.',
    'An empty list for an unknown coin.',
  ],
  examples: [{ name: 'a day', path: { coin: 'BTC' } }],
  answer: ({ path, query }, facts) =>
    facts.orderFlow.bookSummaries({ coin: path.coin, windowMs: spanMs(query.interval) }),
})
