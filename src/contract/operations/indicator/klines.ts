import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { KlineRow, klineRange } from '../../records/indicator.ts'
import { klineData } from '../../responses/indicator.ts'
import { SymbolName, Type } from '../../schema.ts'

export const indicatorKlines = operation({
  id: 'indicator.klines',
  method: 'GET',
  path: '/commonKline/dataRecords',
  title: 'K-line of a pair',
  about:
    'Candles of a pair, oldest first: time in seconds, open, high, low, close and volume in the ' +
    'coin. Intervals without trades are omitted.',
  source: 'not in the contract; public clients of the service call it',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      symbol: SymbolName(),
      ...klineRange,
    }),
  },
  data: Type.Object({ kline_data: Type.Array(KlineRow) }, { additionalProperties: false }),
  refuses: ['symbol'],
  assumed: [
    'kline-numbers',
    'kline-since',
    'indicator-unknown',
    'Parameters are those of the k-line of an indicator.',
  ],
  examples: [
    {
      name: 'quarters of an hour',
      query: { symbol: 'btcusdt:okex', period: '900', size: '20' },
    },
  ],
  answer: ({ query }, facts) => klineData(query, facts),
})
