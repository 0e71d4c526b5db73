/**
 * Queries about what is written of the market (the service's documentation, Content). Lists are
 * newest first.
 */
import type { Slices } from '../../clock/turns.ts'
import type {
  AiInsight,
  IndustryFlash,
  Language,
  ListingFlash,
  NewsDetail,
  Newsflash,
  NewsItem,
  RssItem,
} from '../records/content.ts'

export interface ContentFacts {
  /** Unknown keys are left out. */
  insights(coinKeys: string[], language: Language): Slices<AiInsight[]>
  newsflashes(language: Language): Slices<Newsflash[]>
  industryFlashes(query: FlashQuery): Slices<IndustryFlash[]>
  /** Announcements of exchanges by the ids of their accounts; unknown ids have none. */
  listings(query: ListingQuery): Slices<ListingFlash[]>
  /** Pages begin at 1. */
  news(page: PageQuery): Slices<NewsItem[]>
  /** null for an id that there is not, or not yet. */
  newsDetail(id: number): Slices<NewsDetail | null>
  /** Pages begin at 1. */
  rss(page: PageQuery): Slices<RssItem[]>
}

export interface FlashQuery {
  language: Language
  /** Where the list goes on from; the newest when left out. */
  createTimeMs?: number | undefined
}

export interface ListingQuery {
  language: Language
  memberIds: number[]
  limit: number
}

export interface PageQuery {
  page: number
  pageSize: number
}
