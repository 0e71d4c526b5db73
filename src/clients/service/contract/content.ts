/** The operations of the group `content`. Written by `bun run generate`. */
// biome-ignore-all format: as it is generated
// biome-ignore-all assist/source/organizeImports: as it is generated
import type { CallGroup, CallOptions } from '../requests/request.ts'
import type {
  AiInsight,
  IndustryFlash,
  ListingFlash,
  NewsDetail,
  NewsItem,
  Newsflash,
  RssItem,
} from './records.ts'

/** Requests of `content`. */
export interface ContentCalls {
  /**
   * AI insights into coins. A text about each coin: events of the last day, and an outlook.
   *
   * `POST /content/ai-coins`.
   */
  aiCoins(input: {
    body: {
      /** keys of the coin list */
      coinKeys: string[]
      /** simplified Chinese, English, traditional Chinese */
      language?: 'CN' | 'EN' | 'TC' | undefined
    }
  }, options?: CallOptions): Promise<{
    list: AiInsight[]
  }>

  /**
   * Listings and delistings. Listings and delistings announced by exchanges, newest first.
   *
   * `GET /content/exchange-listing-flash`.
   */
  exchangeListingFlash(input?: {
    query?: {
      /** cn simplified Chinese, tc traditional Chinese, en English */
      language?: 'cn' | 'tc' | 'en' | undefined
      /** accounts of exchanges: comma-separated, or the name repeated */
      memberIds?: number[] | undefined
      /** how many */
      pageSize?: number | undefined
    }
  }, options?: CallOptions): Promise<ListingFlash[]>

  /**
   * Industry flashes. Flashes about the market by type: new highs, volume, liquidations, whales,
   * funds and more. They describe events of this market.
   *
   * `GET /content/flashList`.
   */
  flashList(input?: {
    query?: {
      /** cn simplified Chinese, tc traditional Chinese, en English */
      language?: 'cn' | 'tc' | 'en' | undefined
      /** where to go on from, s */
      createtime?: number | undefined
    }
  }, options?: CallOptions): Promise<IndustryFlash[]>

  /**
   * A news article. An article of the list with its text.
   *
   * `GET /content/news-detail`.
   */
  newsDetail(input: {
    query: {
      /** id of the news list */
      id: number
    }
  }, options?: CallOptions): Promise<NewsDetail | null>

  /**
   * News articles. Articles without their text, newest first.
   *
   * `GET /content/news-list`.
   */
  newsList(input?: {
    query?: {
      /** from 1 */
      page?: number | undefined
      /** articles a page */
      pageSize?: number | undefined
    }
  }, options?: CallOptions): Promise<NewsItem[]>

  /**
   * Newsflashes. The 20 newest short news items, about the market and about companies.
   *
   * `GET /content/newsflash`.
   */
  newsflash(input?: {
    query?: {
      /** cn simplified Chinese, tc traditional Chinese, en English */
      language?: 'cn' | 'tc' | 'en' | undefined
    }
  }, options?: CallOptions): Promise<Newsflash[]>

  /**
   * News of other sites. Headlines that other sites publish by RSS, newest first.
   *
   * `GET /content/square/market/news-list`.
   */
  rssNewsList(input?: {
    query?: {
      /** from 1 */
      page?: number | undefined
      /** items a page */
      pageSize?: number | undefined
    }
  }, options?: CallOptions): Promise<RssItem[]>
}

/** How to ask for it. */
export const content: CallGroup<ContentCalls> = {
  aiCoins: 'POST /content/ai-coins body',
  exchangeListingFlash: 'GET /content/exchange-listing-flash',
  flashList: 'GET /content/flashList',
  newsDetail: 'GET /content/news-detail',
  newsList: 'GET /content/news-list',
  newsflash: 'GET /content/newsflash',
  rssNewsList: 'GET /content/square/market/news-list',
}
