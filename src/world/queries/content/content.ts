/** What is written of the market (spec, Content). */
import type { TapeMs } from '../../../clock/instant.ts'
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
import { ARTICLES, type Article, RSS } from './articles.ts'
import { type Column, newest, type Piece, pieceOf } from './column.ts'
import { columnistOf, PICTURES } from './columnists.ts'
import { FLASHES } from './flashes.ts'
import { insightsOf } from './insights.ts'
import { listingsOf } from './listings.ts'
import { NEWSFLASHES } from './newsflashes.ts'
import { inLanguage, type Words } from './phrase.ts'

/** How many flashes are answered at a time. */
const AT_ONCE = 20

export class Content implements ContentFacts {
  constructor(
    private readonly world: World,
    private readonly moment: Moment,
  ) {}

  insights(coinKeys: string[], language: Language): AiInsight[] {
    return insightsOf(this.world, this.moment, coinKeys, language)
  }

  newsflashes(language: Language): Newsflash[] {
    return this.newest(NEWSFLASHES, AT_ONCE).map((piece) => this.signed(piece, language))
  }

  industryFlashes({ language, createTimeMs }: FlashQuery): IndustryFlash[] {
    const isNewer = this.moment.answers['flash-createtime'] === 'newer'
    const beforeMs = isNewer || createTimeMs === undefined ? this.endMs : createTimeMs
    const sinceMs = isNewer && createTimeMs !== undefined ? createTimeMs : null
    const pieces = newest(this.world, FLASHES, {
      beforeMs: Math.min(beforeMs, this.endMs),
      count: AT_ONCE,
    })
    return pieces
      .filter(({ timeMs }) => sinceMs === null || timeMs > sinceMs)
      .map((piece) => ({ ...this.signed(piece, language), flashType: piece.said.type }))
  }

  listings({ language, memberIds, limit }: ListingQuery): ListingFlash[] {
    return this.newest(listingsOf(memberIds), limit).map((piece) => ({
      ...flashOf(piece, language),
      newsType: 2,
    }))
  }

  news(page: PageQuery): NewsItem[] {
    return this.page(ARTICLES, page).map((piece) => this.item(piece))
  }

  newsDetail(id: number): NewsDetail | null {
    const piece = pieceOf(this.world, ARTICLES, id, this.moment.atMs)
    if (!piece) return null
    const { said } = piece
    const paragraphs = said.paragraphs.map((one) => `<p>${inTongue(said, one)}</p>`)
    return {
      ...this.item(piece),
      content: paragraphs.join(''),
      source: inTongue(said, said.source),
    }
  }

  rss(page: PageQuery): RssItem[] {
    return this.page(RSS, page).map(({ id, timeMs, said }) => ({
      title: inTongue(said, said.title),
      description: inTongue(said, said.describe),
      image: `${PICTURES}/sites/${id}.jpg`,
      pubDate: timeMs / 1000,
    }))
  }

  private get endMs(): number {
    return this.moment.atMs + 1
  }

  private newest<T>(columns: readonly Column<T>[], count: number): Piece<T>[] {
    return newest(this.world, columns, { beforeMs: this.endMs, count })
  }

  private page<T>(columns: readonly Column<T>[], { page, pageSize }: PageQuery): Piece<T>[] {
    const place = { beforeMs: this.endMs, count: pageSize, skip: (page - 1) * pageSize }
    return newest(this.world, columns, place)
  }

  private signed(piece: Piece<Told>, language: Language): Newsflash {
    const columnist = columnistOf(this.world)(piece.id, language)
    return { ...flashOf(piece, language), columnist }
  }

  private item({ id, timeMs, said }: Piece<Article>): NewsItem {
    const chinese = Number(this.moment.answers['news-language'])
    return {
      id,
      title: inTongue(said, said.title),
      describe: inTongue(said, said.describe),
      cover: `${PICTURES}/covers/${id}.jpg`,
      createtime: timeMs / 1000,
      language: said.isChinese ? chinese : 11,
      columnist: columnistOf(this.world)(id, said.isChinese ? 'cn' : 'en'),
    }
  }
}

interface Told {
  title: Words
  content: Words
}

const flashOf = ({ id, timeMs, said }: Piece<Told>, language: Language) => ({
  id,
  title: inLanguage(said.title, language),
  content: inLanguage(said.content, language),
  language,
  createtime: timeMs / 1000,
})

const inTongue = ({ isChinese }: Article, words: Words) => (isChinese ? words.cn : words.en)

/** Ids of the newest articles. */
export const newsIdsAt = (world: World, atMs: TapeMs, count: number): number[] =>
  newest(world, ARTICLES, { beforeMs: atMs + 1, count }).map(({ id }) => id)
