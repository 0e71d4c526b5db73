import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { AnyIndicator } from '../../records/indicator.ts'
import { indicatorPairs } from '../../responses/indicator.ts'
import { SymbolName, Type } from '../../schema.ts'

const Pair = Type.Tuple(
  [
    Type.String({ description: 'symbol of the pair, as the k-line takes it' }),
    Type.String({ description: 'name of the pair' }),
  ],
  { title: 'TradingPair' },
)

export const indicatorTradingPairs = operation({
  id: 'indicator.tradingPairs',
  method: 'GET',
  path: '/indicatorKline/getTradingPair',
  title: 'Pairs that have an indicator',
  source: 'Futures, index and coin data; Indicator keys',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      coinType: SymbolName('coin key or symbol, or the currency of the quote'),
      indicator_key: AnyIndicator,
    }),
  },
  data: Type.Object({ list: Type.Array(Pair) }, { additionalProperties: false }),
  refuses: ['invalid'],
  assumed: [
    'trading-pair-parts',
    'indicator-unknown',
    'Both parameters are required; clients send `bitcoin` as well as `USDT`.',
    'An unknown coin has no pairs.',
  ],
  examples: [
    { name: 'bitcoin', query: { coinType: 'bitcoin', indicator_key: 'fundflow' } },
    { name: 'in USDT', query: { coinType: 'USDT', indicator_key: 'lsur' } },
  ],
  answer: ({ query }, facts) => indicatorPairs(query.coinType, query.indicator_key, facts),
})
