import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { HistoryCandle, historyRange, Intervals } from '../../records/futures-history.ts'
import { historyOf, historyQueryOf } from '../../responses/futures-history.ts'
import { SymbolName, Type } from '../../schema.ts'

export const weightedFundingRateHistory = operation({
  id: 'futures.weightedFundingRateHistory',
  method: 'GET',
  path: '/futures/funding-rate/vol-weight-history',
  title: 'Funding rates of a coin over all exchanges',
  about: 'Rates of eight hours, each exchange weighted by its share of the market; raw rates.',
  source: 'Futures, index and coin data; Candle-like history records; Limits',
  envelope: B(),
  access: permission('futures:WEIGHTED_FUNDING_RATE'),
  params: {
    query: Type.Object({
      symbol: SymbolName('aggregated pair without an exchange, such as btcswapusdt; or the coin'),
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
    'Exchanges are weighted by their open interest.',
    'The hourly rate of the perpetual venue is multiplied by eight.',
  ],
  examples: [{ name: 'days', query: { symbol: 'btcswapusdt', interval: '1d', limit: '7' } }],
  answer: ({ query }, facts) =>
    historyOf(facts.futures.weightedFundingRates(historyQueryOf(query)), query.symbol, facts),
})
