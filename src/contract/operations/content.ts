/** Every declaration in content/. Written by `bun run generate` from the folder. */
// biome-ignore-all assist/source/organizeImports: in the order of the folder
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
  exchangeListingFlash: contentExchangeListingFlash,
  flashList: contentFlashList,
  newsDetail: contentNewsDetail,
  newsList: contentNewsList,
  newsflash: contentNewsflash,
  rssNewsList: contentRssNewsList,
} satisfies Record<string, Operation>
