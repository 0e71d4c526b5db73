/** What is written of the market (the service's documentation, Content). */

import type { TapeMs } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type {
  ContentFacts,
  FlashQuery,
  ListingQuery,
  PageQuery,
} from '../../../contract/facts/content.ts'
import type { Moment } from '../../../contract/facts.ts'
import type {
  AiInsight,
  IndustryFlash,
  Language,
  ListingFlash,
  NewsDetail,
  Newsflash,
  NewsItem,
  RssItem,
} from '../../../contract/records/content.ts'
import type { World } from '../../world.ts'
import { announcementFeedsOf } from './announcement-feeds.ts'
import { ARTICLE_FEEDS, type Article, RSS_FEEDS } from './article-feeds.ts'
import { authorOf, PICTURE_ORIGIN } from './authors.ts'
import { type BilingualText, inLanguage } from './bilingual-text.ts'
import { type ContentFeed, newestIds, newestPosts, type Post, postOf } from './content-feed.ts'
import { FLASH_FEEDS } from './flash-feeds.ts'
import { insightsOf } from './insights.ts'
import { NEWSFLASH_FEEDS } from './newsflash-feeds.ts'

/** How many flashes are answered at a time. */
const FLASHES_MAX = 20

export class ContentQueries implements ContentFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  insights(coinKeys: string[], language: Language): Slices<AiInsight[]> {
    return insightsOf(this.world, this.moment, coinKeys, language)
  }

  *newsflashes(language: Language): Slices<Newsflash[]> {
    const posts = yield* this.newest(NEWSFLASH_FEEDS, FLASHES_MAX)
    return posts.map((post) => this.signed(post, language))
  }

  *industryFlashes({ language, createTimeMs }: FlashQuery): Slices<IndustryFlash[]> {
    const isNewer = this.moment.answers['flash-createtime'] === 'newer'
    const beforeMs = isNewer || createTimeMs === undefined ? this.endMs : createTimeMs
    const sinceMs = isNewer && createTimeMs !== undefined ? createTimeMs : null
    const posts = yield* newestPosts(this.world, FLASH_FEEDS, {
      beforeMs: Math.min(beforeMs, this.endMs),
      count: FLASHES_MAX,
    })
    return posts
      .filter(({ timeMs }) => sinceMs === null || timeMs > sinceMs)
      .map((post) => ({ ...this.signed(post, language), flashType: post.content.type }))
  }

  *listings({ language, memberIds, limit }: ListingQuery): Slices<ListingFlash[]> {
    const posts = yield* this.newest(announcementFeedsOf(memberIds), limit)
    return posts.map((post) => ({ ...flashRecord(post, language), newsType: 2 }))
  }

  *news(page: PageQuery): Slices<NewsItem[]> {
    const posts = yield* this.page(ARTICLE_FEEDS, page)
    return posts.map((post) => this.item(post))
  }

  *newsDetail(id: number): Slices<NewsDetail | null> {
    const post = yield* postOf(this.world, ARTICLE_FEEDS, id, this.moment.atMs)
    if (!post) return null
    const { describe, paragraphs, source } = post.content
    const language = this.newsLanguage(post.content)
    const written = [describe, ...paragraphs].map((one) => `<p>${inLanguage(one, language)}</p>`)
    return {
      ...this.item(post),
      content: written.join(''),
      source: inLanguage(source, language),
    }
  }

  *rss(page: PageQuery): Slices<RssItem[]> {
    const asked = this.moment.answers['rss-language']
    const posts = yield* this.page(RSS_FEEDS, page)
    return posts.map(({ id, timeMs, content }) => {
      const language = asked === 'both' ? ownLanguage(content) : asked
      return {
        title: inLanguage(content.title, language),
        description: inLanguage(content.describe, language),
        image: `${PICTURE_ORIGIN}/sites/${id}.jpg`,
        pubDate: timeMs / 1000,
      }
    })
  }

  private newsLanguage(article: Article): 'cn' | 'en' {
    const asked = this.moment.answers['news-list-language']
    return asked === 'both' ? ownLanguage(article) : asked
  }

  private get endMs(): number {
    return this.moment.atMs + 1
  }

  private newest<T>(columns: readonly ContentFeed<T>[], count: number): Slices<Post<T>[]> {
    return newestPosts(this.world, columns, { beforeMs: this.endMs, count })
  }

  private page<T>(columns: readonly ContentFeed<T>[], { page, pageSize }: PageQuery) {
    const place = { beforeMs: this.endMs, count: pageSize, skip: (page - 1) * pageSize }
    return newestPosts(this.world, columns, place)
  }

  private signed(post: Post<SignedText>, language: Language): Newsflash {
    const columnist = authorOf(this.world)(post.id, language)
    return { ...flashRecord(post, language), columnist }
  }

  private item({ id, timeMs, content }: Post<Article>): NewsItem {
    const language = this.newsLanguage(content)
    return {
      id,
      title: inLanguage(content.title, language),
      describe: inLanguage(content.describe, language),
      cover: `${PICTURE_ORIGIN}/covers/${id}.jpg`,
      createtime: timeMs / 1000,
      language: language === 'cn' ? Number(this.moment.answers['news-language']) : 11,
      columnist: authorOf(this.world)(id, language),
    }
  }
}

interface SignedText {
  title: BilingualText
  content: BilingualText
}

const flashRecord = ({ id, timeMs, content }: Post<SignedText>, language: Language) => ({
  id,
  title: inLanguage(content.title, language),
  content: inLanguage(content.content, language),
  language,
  createtime: timeMs / 1000,
})

const ownLanguage = ({ isChinese }: Article) => (isChinese ? 'cn' : 'en')

/** Ids of the newest articles. */
export const newsIdsAt = (world: World, atMs: TapeMs, count: number): number[] =>
  newestIds(world, ARTICLE_FEEDS, atMs + 1, count)
