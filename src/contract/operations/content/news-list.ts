import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { NewsItem } from '../../records/content.ts'
import { Limit, Type, WithDefault } from '../../schema.ts'

export const contentNewsList = operation({
  id: 'content.newsList',
  method: 'GET',
  path: '/content/news-list',
  title: 'News articles',
  about: 'Articles without their text, newest first.',
  source: 'Content; News list item; Limits',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      page: WithDefault(Type.Integer({ description: 'from 1', minimum: 1 }), 1),
      pageSize: Limit({ default: 20, max: 20 }, 'articles a page'),
    }),
  },
  data: Type.Array(NewsItem),
  assumed: [
    'news-language',
    'news-list-language',
    'Page 1 and 20 articles by default; newest first; a page after the last one is empty.',
    '`createtime` is in seconds. Prices, turnover and positions in the text were correct at that ' +
      'time; institutions and analysts are invented.',
  ],
  examples: [{ name: 'the five newest', query: { page: '1', pageSize: '5' } }],
  answer: ({ query }, facts) => facts.content.news(query),
})
