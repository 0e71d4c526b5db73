import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { AnyIndicator, IndicatorData, klineRange } from '../../records/indicator.ts'
import { indicatorData } from '../../responses/indicator.ts'
import { SymbolName, Type } from '../../schema.ts'

export const indicatorRecords = operation({
  id: 'indicator.records',
  method: 'GET',
  path: '/indicatorKline/dataRecords',
  title: 'K-line of an indicator',
  about:
    'History of an indicator of a pair, oldest first. fundflow: net inflow by takers; ttsi, ' +
    'ttmu: top traders by account and by position; position: open interest; lsur: long and short ' +
    'accounts; tvolume: open interest and turnover; ftbs, bsv: taker volumes; basis: perpetual ' +
    'against spot; mlr: what longs borrow over what shorts borrow; fr: funding rate; aibst: ' +
    'large orders; aili: forced closings; aiaggtrade: each large trade.',
  source: 'Futures, index and coin data; Indicator keys; Limits',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      symbol: SymbolName(),
      indicator_key: AnyIndicator,
      ...klineRange,
    }),
  },
  data: Type.Object({ kline_data: IndicatorData }, { additionalProperties: false }),
  refuses: ['symbol', 'invalid'],
  assumed: [
    'indicator-form',
    'indicator-unknown',
    'kline-since',
    'large-trade-accounts',
    'aggregate-trade-type',
    'The path is the one public clients use; the contract does not show it.',
    "The shape is this sandbox's own: columns as the contract names them, numbers as text, times " +
      'in seconds. aiaggtrade has `price`, `amount` and `value` besides the named columns.',
    '`size` is 100 and `period` is an hour by default; a `size` above 500 is cut to 500.',
    'Top traders are the accounts that hold the largest fifth of the positions in the coin.',
    'A large order is one that took at least 100,000 USD at one instant.',
    'aiaggtrade is a list of trades: it ignores `period` and `open_time`.',
    'Intervals without trades have a volume of 0; prices and open interest are carried over.',
  ],
  examples: [
    {
      name: 'net inflow by hours',
      query: {
        symbol: 'btcswapusdt:binance',
        indicator_key: 'fundflow',
        period: '3600',
        size: '24',
      },
    },
    {
      name: 'long and short accounts by days',
      query: {
        symbol: 'ethswapusdt:okex',
        indicator_key: 'lsur',
        period: '86400',
        size: '7',
        open_time: '8',
      },
    },
  ],
  answer: ({ query }, facts) => indicatorData(query, facts),
})
