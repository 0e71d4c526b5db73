/** News that the market was told: a story at an instant, in each list of news. */
import { type TapeMs, tapeMs } from '../../../clock/instant.ts'
import { randomSource } from '../../../random/random-source.ts'
import type { NewsStory } from '../../events/news.ts'
import type { World } from '../../world/world.ts'
import type { ArticleText } from './articles/article-text.ts'
import { storyArticle } from './articles/business-articles.ts'
import { type BilingualText, joined } from './bilingual-text.ts'
import { type ContentFeed, publishedAtMs } from './content-feed.ts'
import { MarketView } from './market-view.ts'
import { toldStory } from './stories/business-events.ts'

/** Articles on them. */
export const toldArticles = (number: number): ContentFeed<ArticleText> => ({
  number,
  due: (world, beforeMs) => newestBefore(world, number, beforeMs),
  write: (world, atMs) => {
    const told = toldAt(world, number, atMs)
    const view = new MarketView(world, atMs)
    return told && storyArticle(view, number, told.text, told.random)
  },
})

/** The same in short. */
export const toldNewsflashes = (
  number: number,
): ContentFeed<{ title: BilingualText; content: BilingualText }> => ({
  number,
  due: (world, beforeMs) => newestBefore(world, number, beforeMs),
  write: (world, atMs) => {
    const told = toldAt(world, number, atMs)
    if (!told) return null
    const { title, lead, details } = told.text
    return { title, content: joined([lead, ...details.slice(0, 1)]) }
  },
})

/** What was told of is published once, so the instants of one feed are those of the events. */
const newsOf = ({ meta }: World): { story: NewsStory; atMs: TapeMs }[] =>
  meta.marketEvents.flatMap(({ event, fromMs }) =>
    event.kind === 'news' ? [{ story: event.story, atMs: tapeMs(fromMs) }] : [],
  )

function newestBefore(world: World, number: number, beforeMs: number): TapeMs | null {
  const published = newsOf(world).map(({ atMs }) => publishedAtMs(number, atMs))
  const due = published.filter((timeMs) => timeMs < beforeMs)
  return due.length === 0 ? null : tapeMs(Math.max(...due))
}

function toldAt(world: World, number: number, publishedMs: TapeMs) {
  const news = newsOf(world).find(({ atMs }) => publishedAtMs(number, atMs) === publishedMs)
  if (!news) return null
  const random = randomSource(world.meta.seed, `told news in column ${number} at ${publishedMs}`)
  return { text: toldStory(world, news.story, news.atMs, random), random }
}
