import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { GroupedDepth } from '../../records/depth.ts'
import { unknownPair } from '../../responses/futures-history.ts'
import { SymbolName, Type } from '../../schema.ts'

export const groupedDepth = operation({
  id: 'futures.groupedDepth',
  method: 'GET',
  path: '/futures/full-depth/grouped',
  title: 'Whole order book of a pair in price intervals',
  source: 'Futures, index and coin data; Depth rule 2',
  envelope: B(),
  access: permission('FULL_DEPTH_GROUPED'),
  params: {
    query: Type.Object({
      dbKey: SymbolName(),
      groupSize: Type.Number({ exclusiveMinimum: 0, description: 'width of an interval' }),
    }),
  },
  data: GroupedDepth,
  refuses: ['symbol'],
  assumed: ['unknown-pair', 'Intervals start at multiples of groupSize.'],
  examples: [{ name: 'by ten', query: { dbKey: 'btcswapusdt:binance', groupSize: '10' } }],
  answer: ({ query }, facts) =>
    facts.futures.groupedDepth(query.dbKey, query.groupSize) ??
    unknownPair(query.dbKey, facts, { groupSize: query.groupSize }),
})
