import { publicAccess, signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { IndexInfo } from '../../records/market-index.ts'
import { OneOf, SymbolName, Type, WithDefault, withKeywords } from '../../schema.ts'

export const indexInfo = operation({
  id: 'index.info',
  method: 'GET',
  path: '/index/indexInfo',
  title: 'Description of an index',
  source: 'Futures, index and coin data; Index',
  envelope: A,
  access: signedAccess,
  accessByAnswer: { question: 'index-info-signature', is: { open: publicAccess } },
  params: {
    query: Type.Object({
      key: SymbolName('key of the list of indexes'),
      lan: WithDefault(
        withKeywords(OneOf(['en', 'cn'], 'language'), { 'x-alias': ['language'] }),
        'en',
      ),
    }),
  },
  data: IndexInfo,
  refuses: ['index'],
  assumed: [
    'index-info-signature',
    'index-unknown',
    'index-without-price',
    'English by default.',
    '`amount` is the number of coins in the index.',
    '`file_link` is on the host of `link`, a reserved host that does not answer.',
  ],
  examples: [{ name: 'all coins', query: { key: 'i:total:index', lan: 'en' } }],
  answer: ({ query: { key, lan } }, { marketIndex }) =>
    marketIndex.info(key, lan) ?? { refused: 'index' },
})
