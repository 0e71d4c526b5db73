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

export const news = eventKind({
  kind: 'news',
  about: 'An institution tells a story of that kind, within half a minute in every feed of news.',
  fields: Type.Object(
    {
      story: Type.Union(
        NEWS_STORIES.map((name) => Type.Literal(name)),
        { description: `what it is about: ${NEWS_STORIES.join(', ')}` },
      ),
    },
    { additionalProperties: false },
  ),
  example: { kind: 'news', story: 'rule-making' },
  lengthS: () => 0,
  excludes: [],
})
