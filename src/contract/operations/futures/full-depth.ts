import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { FullDepth } from '../../records/depth.ts'
import { unknownPair } from '../../responses/futures-history.ts'
import { SymbolName, Type } from '../../schema.ts'

export const fullDepth = operation({
  id: 'futures.fullDepth',
  method: 'GET',
  path: '/futures/full-depth',
  title: 'Whole order book of a pair',
  source: 'Futures, index and coin data; Depth rule 3',
  envelope: B(),
  access: permission('FULL_DEPTH'),
  params: {
    query: Type.Object({ dbKey: SymbolName() }),
  },
  data: FullDepth,
  refuses: ['symbol'],
  assumed: ['unknown-pair'],
  examples: [{ name: 'a pair', query: { dbKey: 'btcswapusdt:binance' } }],
  answer: ({ query }, facts) =>
    facts.futures.fullDepth(query.dbKey) ?? unknownPair(query.dbKey, facts, {}),
})
