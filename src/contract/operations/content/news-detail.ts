import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { NewsDetail } from '../../records/content.ts'
import { IdOf, Nullable, Type } from '../../schema.ts'

export const contentNewsDetail = operation({
  id: 'content.newsDetail',
  method: 'GET',
  path: '/content/news-detail',
  title: 'A news article',
  about: 'An article of the list with its text.',
  source: 'Content; News list item',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      id: IdOf('article', Type.Integer({ description: 'id of the news list' })),
    }),
  },
  data: Nullable(NewsDetail),
  refuses: ['news'],
  assumed: ['news-absent', 'news-language', 'The text is in HTML paragraphs, and has a source.'],
  examples: [{ name: 'an article', query: { id: '165819560' } }],
  answer: ({ query }, { content, moment }) =>
    mapSlices(
      content.newsDetail(query.id),
      (news) =>
        news ?? (moment.answers['news-absent'] === 'null' ? null : { refused: 'news' as const }),
    ),
})
