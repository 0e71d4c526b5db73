import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { IndexItem } from '../../records/market-index.ts'
import { Digits, Type } from '../../schema.ts'

export const indexList = operation({
  id: 'index.list',
  method: 'GET',
  path: '/index/getIndex',
  title: 'Indexes',
  about: 'All available indexes, with their present values.',
  source: 'Futures, index and coin data; Index',
  envelope: A,
  access: signedAccess,
  data: Type.Object(
    {
      list: Type.Array(IndexItem),
      count: Digits('how many'),
    },
    { additionalProperties: false },
  ),
  assumed: [
    'index-without-price',
    'The list of indexes and their calculation are our own choice.',
    'Each is calculated at every full minute of the market.',
    '`describe` is English.',
  ],
  examples: [{ name: 'all' }],
  answer: (_, { marketIndex }) =>
    mapSlices(marketIndex.list(), (list) => ({ list, count: String(list.length) })),
})
