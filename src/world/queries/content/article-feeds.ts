/** The feeds of articles and of other sites' news. */
import type { ArticleText } from './articles/article-text.ts'
import { businessArticle } from './articles/business-articles.ts'
import { coinArticle } from './articles/coin-articles.ts'
import { marketArticle } from './articles/market-articles.ts'
import type { ContentFeed } from './content-feed.ts'
import { MarketView } from './market-view.ts'
import { onSchedule } from './publication-schedule.ts'
import { toldArticles } from './told-news.ts'

export interface Article extends ArticleText {
  /** Its language in a list of both. */
  isChinese: boolean
}

/** Both always have something to say, so that pages can be skipped unread. */
export const ARTICLE_FEEDS: readonly ContentFeed<Article>[] = [articleFeed(40, 44), toldFeed(42)]
export const RSS_FEEDS: readonly ContentFeed<Article>[] = [articleFeed(41, 60), toldFeed(43)]

/** @param daily how many there are on a weekday */
function articleFeed(number: number, daily: number): ContentFeed<Article> {
  return {
    number,
    due: onSchedule(number, daily),
    write: (world, atMs) => {
      const view = new MarketView(world, atMs)
      const isChinese = view.random(languageName(number)).chance(0.5)
      return { isChinese, ...articleText(view, number) }
    },
  }
}

function toldFeed(number: number): ContentFeed<Article> {
  const { due, write } = toldArticles(number)
  return {
    number,
    due,
    write: (world, atMs) => {
      const text = write(world, atMs)
      const isChinese = new MarketView(world, atMs).random(languageName(number)).chance(0.5)
      return text && { isChinese, ...text }
    },
  }
}

const languageName = (number: number) => `language in column ${number}`

/** Fewer coins are no market. */
const MARKET_MIN = 3

function articleText(view: MarketView, number: number): ArticleText {
  const random = view.random(`article of column ${number}`)
  const { markets, coins } = view
  if (coins.length === 0 || random.chance(0.45)) return businessArticle(view, number)
  const isWide = random.chance(0.3) && coins.length >= MARKET_MIN
  return isWide ? marketArticle(view, coins) : coinArticle(view, random.pick(markets))
}
