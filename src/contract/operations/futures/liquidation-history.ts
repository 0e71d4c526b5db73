import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { historyRange, LiquidationBucket, ShortIntervals } from '../../records/futures-history.ts'
import { historyOf, historyQueryOf } from '../../responses/futures-history.ts'
import { SymbolName, Type } from '../../schema.ts'

export const liquidationHistory = operation({
  id: 'futures.liquidationHistory',
  method: 'GET',
  path: '/futures/liquidation/history',
  title: 'Liquidations of a pair',
  about: 'Value of the long and of the short positions that were liquidated in each interval.',
  source: 'Futures, index and coin data; Candle-like history records; Limits',
  envelope: B(),
  access: permission('futures:LIQUIDATION_ORDERS'),
  params: {
    query: Type.Object({
      symbol: SymbolName('perpetual pair, `symbol:exchange`'),
      interval: ShortIntervals,
      ...historyRange({ default: 10 }),
    }),
  },
  data: Type.Array(LiquidationBucket),
  refuses: ['symbol'],
  assumed: [
    'unknown-symbol',
    'history-excess',
    'Oldest first; `limit` is cut to 1000.',
    'quiet-liquidations',
  ],
  examples: [{ name: 'minutes', query: { symbol: 'btcswapusdt:binance', interval: '1m' } }],
  answer: ({ query }, facts) =>
    historyOf(facts.futures.liquidations(historyQueryOf(query)), query.symbol, facts),
})
