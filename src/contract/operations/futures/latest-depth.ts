import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { LatestDepth } from '../../records/depth.ts'
import { Limit, SymbolName, Type } from '../../schema.ts'

export const latestDepth = operation({
  id: 'futures.latestDepth',
  method: 'GET',
  path: '/futures/latest-depth',
  title: 'Newest order book of a pair',
  source: 'Futures, index and coin data; Depth rules 1 and 3',
  envelope: B({ code: '200' }),
  access: permission('LATEST_DEPTH'),
  params: {
    query: Type.Object({
      dbKey: SymbolName(),
      size: Type.Optional(Limit({ max: 500 }, 'levels a side')),
    }),
  },
  data: LatestDepth,
  assumed: ['latest-depth-size', 'An unknown pair has no data: empty levels.'],
  examples: [{ name: 'ten levels a side', query: { dbKey: 'btcswapusdt:binance', size: '10' } }],
  answer: ({ query }, facts) =>
    facts.futures.latestDepth(
      query.dbKey,
      query.size ?? Number(facts.moment.answers['latest-depth-size']),
    ),
})
