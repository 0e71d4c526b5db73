/** Operations of the content group. */
import type { Operation } from '../operation.ts'
import { contentAiCoins } from './content/ai-coins.ts'
import { contentExchangeListingFlash } from './content/exchange-listing-flash.ts'
import { contentFlashList } from './content/flash-list.ts'
import { contentNewsDetail } from './content/news-detail.ts'
import { contentNewsList } from './content/news-list.ts'
import { contentNewsflash } from './content/newsflash.ts'
import { contentRssNewsList } from './content/rss-news-list.ts'

export const CONTENT = {
  aiCoins: contentAiCoins,
  rssNewsList: contentRssNewsList,
  newsflash: contentNewsflash,
  flashList: contentFlashList,
  exchangeListingFlash: contentExchangeListingFlash,
  newsList: contentNewsList,
  newsDetail: contentNewsDetail,
} satisfies Record<string, Operation>
