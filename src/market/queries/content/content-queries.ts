/** Content about the market (the service's documentation, Content). */

import texts from '../../../../seed/news-texts.json' with { type: 'json' }
import type { TapeMs } from '../../../clock/instant.ts'
import { DAY_MS, HOUR_MS } from '../../../clock/instant.ts'
import type { Slices } from '../../../clock/turns.ts'
import type {
  ContentFacts,
  FlashQuery,
  ListingQuery,
  Moment,
  PageQuery,
} from '../../../contract/facts.ts'
import type { CoinTicker } from '../../../contract/records/coin.ts'
import type {
  AiInsight,
  Columnist,
  IndustryFlash,
  Language,
  ListingFlash,
  NewsDetail,
  Newsflash,
  NewsItem,
  RssItem,
} from '../../../contract/records/content.ts'
import { parse, ZERO } from '../../../decimal/quantity.ts'
import { personName } from '../../../random/made-up-names.ts'
import { randomSource } from '../../../random/random-source.ts'
import { coinsOf } from '../../rows/coins.ts'
import { perWorld } from '../../world/cache.ts'
import { mixedWord } from '../../world/crowd-address.ts'
import type { World } from '../../world/world.ts'
import { CoinQueries } from '../coin/coin-queries.ts'
import { announcementFeedsOf } from './announcement-feeds.ts'
import { ARTICLE_FEEDS, type Article, RSS_FEEDS } from './article-feeds.ts'
import {
  type BilingualText,
  inLanguage,
  moveText,
  phrase,
  priceText,
  usdWords,
  worded,
} from './bilingual-text.ts'
import { type ContentFeed, newestIds, newestPosts, type Post, postOf } from './content-feed.ts'
import { FLASH_FEEDS } from './flash-feeds.ts'
import { MarketView } from './market-view.ts'
import { NEWSFLASH_FEEDS } from './newsflash-feeds.ts'

/** Flashes per response. */
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
      // Not every article names one.
      ...(mixedWord(id) % 3 > 0 && { source: inLanguage(source, language) }),
    }
  }

  *rss(page: PageQuery): Slices<RssItem[]> {
    const requested = this.moment.answers['rss-language']
    const posts = yield* this.page(RSS_FEEDS, page)
    return posts.map(({ id, timeMs, content }) => {
      const language = requested === 'both' ? ownLanguage(content) : requested
      return {
        title: inLanguage(content.title, language),
        description: inLanguage(content.describe, language),
        image: `${PICTURE_ORIGIN}/sites/${id}.jpg`,
        pubDate: timeMs / 1000,
      }
    })
  }

  private newsLanguage(article: Article): 'cn' | 'en' {
    const requested = this.moment.answers['news-list-language']
    return requested === 'both' ? ownLanguage(article) : requested
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

// Insights on a coin: its day by the coin ticker, and an outlook.

/** Coins without a price yet, and unknown keys, are left out. */
function* insightsOf(
  world: World,
  moment: Moment,
  coinKeys: string[],
  language: Language,
): Slices<AiInsight[]> {
  const view = new MarketView(world, moment.atMs)
  const insights: AiInsight[] = []
  for (const ticker of yield* new CoinQueries(world, moment).tickers(coinKeys)) {
    yield
    const { coin_key: key, price_usd, degree_24h_usd: degree } = ticker
    const { interpret, predition } = insightTexts(view, ticker)
    insights.push({
      coinKey: key,
      coinShow: coinsOf(world).get(key)?.asset.show ?? key,
      coinLogo: `${PICTURE_ORIGIN}/coins/${key}.png`,
      price: price_usd,
      degree,
      interpret: inLanguage(interpret, language),
      trend: degree.startsWith('-') ? 'fall' : 'rise',
      predition: inLanguage(predition, language),
    })
  }
  return insights
}

function insightTexts(
  view: MarketView,
  ticker: CoinTicker,
): { interpret: BilingualText; predition: BilingualText } {
  const coin = coinsOf(view.world).get(ticker.coin_key)
  if (!coin) throw new Error(`${ticker.coin_key} has a ticker and is no coin`)
  const { instrument: of, asset } = coin
  const px = view.pxAgo(of, 0) ?? ZERO
  const { high, low } = view.tally(of, DAY_MS)
  const turnover = dollarsOf(ticker.trade_24h_usd)
  const net = dollarsOf(ticker.fundNetIn_24h_usd)
  const isFalling = ticker.degree_24h_usd.startsWith('-')
  const parts = {
    coin: asset.show,
    price: priceText(of, px),
    move: moveText(parse(ticker.degree_24h_usd, 2)),
    turnover: usdWords(turnover),
    net: usdWords(net),
    way: net < 0n ? { cn: '净流出', en: 'net outflow' } : { cn: '净流入', en: 'net inflow' },
    high: priceText(of, high === ZERO ? px : high),
    low: priceText(of, low === ZERO ? px : low),
  }
  const interpret = phrase(
    '{coin}现报{price}，24小时{move}，成交额{turnover}，资金{way}{net}。',
    '{coin} trades at {price}, {move} over 24 hours, on a turnover of {turnover} and a {way} of ' +
      '{net}.',
    parts,
  )
  // Another one each hour.
  const hour = Math.floor(view.atMs / HOUR_MS)
  const random = randomSource(view.world.meta.seed, `outlook of ${ticker.coin_key} in hour ${hour}`)
  const { falling, rising } = texts.outlooks
  return { interpret, predition: worded(random, isFalling ? falling : rising, parts) }
}

/** Converts cents as text to micro-dollars. */
const dollarsOf = (text: string) => BigInt(text.replace('.', '')) * 10_000n

// Authors of newsflashes.

/** A reserved name: nothing is ever loaded from it. */
const PICTURE_ORIGIN = 'https://static.example.com'

/** Number of columnists in each language. */
const AUTHORS_PER_LANGUAGE = 12

/** The author of a post. */
const authorOf = perWorld(({ meta: { seed } }) => {
  const known = new Map<string, Columnist>()
  const named = (language: Language, at: number): Columnist => {
    const nick_name = personName(randomSource(seed, `columnist ${at}`), language)
    const avatar = `${PICTURE_ORIGIN}/columnists/${language}-${at}.png`
    return { nick_name, avatar, avatar_black: avatar.replace('.png', '-black.png') }
  }
  return (id: number, language: Language): Columnist => {
    const at = randomSource(seed, `columnist of ${id}`).between(1, AUTHORS_PER_LANGUAGE)
    const columnist = known.get(`${language}/${at}`) ?? named(language, at)
    known.set(`${language}/${at}`, columnist)
    return columnist
  }
})
