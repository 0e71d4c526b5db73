import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { HistoryCandle, historyRange, Intervals } from '../../records/futures-history.ts'
import { historyOf, historyQueryOf } from '../../responses/futures-history.ts'
import { SymbolName, Type } from '../../schema.ts'

export const fundingRateHistory = operation({
  id: 'futures.fundingRateHistory',
  method: 'GET',
  path: '/futures/funding-rate/history',
  title: 'Funding rates of a pair',
  about: 'Open, highest, lowest and last rate of each interval; raw rates, 0.0001 is 0.01 %.',
  source: 'Futures, index and coin data; Candle-like history records; Limits',
  envelope: B({ text: 'message' }),
  envelopeByAnswer: {
    question: 'funding-history-code',
    is: { integer: B({ code: 0, text: 'message' }) },
  },
  access: permission('futures:FUNDING_RATE_HISTORY'),
  params: {
    query: Type.Object({
      symbol: SymbolName('perpetual pair, `symbol:exchange`'),
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
    'funding-history-code',
    'A rate is valid until the next one is announced or charged.',
    'The perpetual venue charges hourly and shows the rate of an hour, the others of eight hours.',
  ],
  examples: [
    { name: 'hours', query: { symbol: 'btcswapusdt:binance', interval: '1h', limit: '24' } },
  ],
  answer: ({ query }, facts) =>
    historyOf(facts.futures.fundingRates(historyQueryOf(query)), query.symbol, facts),
})
