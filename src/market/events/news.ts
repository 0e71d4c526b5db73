/** News of a kind. */
import { Type } from '@sinclair/typebox'
import { eventKind } from './event-kind.ts'

/** What can be in the news, as the stories of a world tell it. */
export const NEWS_STORIES = [
  'financing',
  'fund-position',
  'licence',
  'mining',
  'new-fund',
  'product',
  'rule-making',
  'survey',
] as const

export type NewsStory = (typeof NEWS_STORIES)[number]

export const news = eventKind({
  kind: 'news',
  about:
    'An institution starts a news story of this kind. Within half a minute it is in the news, in ' +
    'the news of other sites and in the newsflashes.',
  fields: Type.Object(
    {
      story: Type.Union(
        NEWS_STORIES.map((name) => Type.Literal(name)),
        { description: `subject: ${NEWS_STORIES.join(', ')}` },
      ),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'news', story: 'rule-making' },
  lengthS: () => PUBLISHED_WITHIN_S,
  excludes: [
    {
      kind: 'news',
      of: 'all coins',
      why: 'what is told within half a minute would be in the same second of the feeds',
    },
  ],
})

/** Feeds publish each half minute. */
const PUBLISHED_WITHIN_S = 30
