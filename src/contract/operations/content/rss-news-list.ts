import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { RssItem } from '../../records/content.ts'
import { Limit, Type, WithDefault } from '../../schema.ts'

export const contentRssNewsList = operation({
  id: 'content.rssNewsList',
  method: 'GET',
  path: '/content/square/market/news-list',
  title: 'News of other sites',
  about: 'Headlines that other sites publish by RSS, newest first.',
  source: 'Content; RSS news item; Limits',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      page: WithDefault(Type.Integer({ description: 'from 1', minimum: 1 }), 1),
      pageSize: Limit({ default: 20, max: 20 }, 'items a page'),
    }),
  },
  data: Type.Array(RssItem),
  assumed: [
    'rss-language',
    'Page 1 and 20 items by default; newest first; a page after the last one is empty.',
    '`pubDate` is in seconds.',
    'Sites and authors are invented.',
  ],
  examples: [{ name: 'the five newest', query: { page: '1', pageSize: '5' } }],
  answer: ({ query }, facts) => facts.content.rss(query),
})
