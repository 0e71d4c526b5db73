import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { LanguageWord, ListingFlash } from '../../records/content.ts'
import { Limit, NumberList, Type } from '../../schema.ts'

export const contentExchangeListingFlash = operation({
  id: 'content.exchangeListingFlash',
  method: 'GET',
  path: '/content/exchange-listing-flash',
  title: 'Listings and delistings',
  about: 'Listings and delistings announced by exchanges, newest first.',
  source: 'Content; Listing flash; Limits',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      language: LanguageWord,
      memberIds: NumberList(
        { default: [477, 1509], max: 5, alias: ['memberIds[]'] },
        'accounts of exchanges: comma-separated, or the name repeated',
      ),
      pageSize: Limit({ default: 20, max: 100 }, 'how many'),
    }),
  },
  data: Type.Array(ListingFlash),
  assumed: [
    'Simplified Chinese by default; `createtime` is in seconds.',
    '477 is Binance and 1509 is Bitget, as clients know them. The ids of the other exchanges are ' +
      "this sandbox's own: 1001 OKX, 1002 Bybit, 1003 Gate, 1004 HTX. Other ids have no flashes.",
    'More than 100 flashes are cut to 100.',
    'Announced pairs have no book. A pair is listed once, and is delisted months later or never.',
  ],
  examples: [
    { name: 'Binance and Bitget', query: { language: 'en' } },
    { name: 'one exchange', query: { language: 'cn', memberIds: '1001', pageSize: '5' } },
  ],
  answer: ({ query: { language, memberIds, pageSize } }, facts) =>
    facts.content.listings({ language, memberIds, limit: pageSize }),
})
