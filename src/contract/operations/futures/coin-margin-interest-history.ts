import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { HistoryCandle, historyRange, ShortIntervals } from '../../records/futures-history.ts'
import { bitcoinHistoryOf, historyQueryOf } from '../../responses/futures-history.ts'
import { SymbolName, Type } from '../../schema.ts'

export const coinMarginInterestHistory = operation({
  id: 'futures.coinMarginInterestHistory',
  method: 'GET',
  path: '/futures/open-interest/aggregated-coin-margin-history',
  title: 'Open interest of coin-margined contracts',
  about: 'Open interest over all exchanges in contracts settled in the coin. Unit: USD.',
  source: 'Futures, index and coin data; Candle-like history records; Limits',
  envelope: B(),
  access: permission('futures:COIN_MARGIN_POSITION'),
  params: {
    query: Type.Object({
      symbol: SymbolName('coin symbol, such as BTC'),
      interval: ShortIntervals,
      ...historyRange({ default: 100 }),
    }),
  },
  data: Type.Array(HistoryCandle),
  refuses: ['symbol', 'bitcoinOnly'],
  assumed: [
    'unknown-symbol',
    'history-excess',
    'Oldest first; `limit` is cut to 1000.',
    '`limit` is 100 by default.',
    'coin-margin-coins',
    'It is valued at the price of the last trade.',
  ],
  examples: [{ name: 'quarters of hours', query: { symbol: 'BTC', interval: '15m', limit: '20' } }],
  answer: ({ query }, facts) =>
    bitcoinHistoryOf(
      facts.futures.coinMarginOpenInterest(historyQueryOf(query)),
      query.symbol,
      facts,
    ),
})
