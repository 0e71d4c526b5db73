import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { HistoryCandle, historyRange, Intervals } from '../../records/futures-history.ts'
import { historyOf, historyQueryOf } from '../../responses/futures-history.ts'
import { SymbolName, Type } from '../../schema.ts'

export const stablecoinInterestHistory = operation({
  id: 'futures.stablecoinInterestHistory',
  method: 'GET',
  path: '/futures/open-interest/aggregated-stablecoin-history',
  title: 'Open interest of stablecoin contracts',
  about: 'Open interest over all exchanges in contracts settled in stablecoins. Unit: the coin.',
  source: 'Futures, index and coin data; Candle-like history records; Limits',
  envelope: B(),
  access: permission('futures:STABLECOIN_MARGIN_POSITION'),
  params: {
    query: Type.Object({
      symbol: SymbolName('coin symbol, such as BTC'),
      interval: Intervals,
      ...historyRange({ default: 100 }),
    }),
  },
  data: Type.Array(HistoryCandle),
  refuses: ['symbol'],
  assumed: [
    'unknown-symbol',
    'history-excess',
    'Oldest first; `limit` is cut to 1000.',
    '`limit` is 100 by default.',
    'history-coverage',
  ],
  examples: [{ name: 'quarters of hours', query: { symbol: 'BTC', interval: '15m', limit: '20' } }],
  answer: ({ query }, facts) =>
    historyOf(facts.futures.stablecoinOpenInterest(historyQueryOf(query)), query.symbol, facts),
})
