/** Queries about indexes (the service's documentation, Index). */
import type { Currency, IndexInfo, IndexItem, IndexPrice } from '../records/market-index.ts'

export interface MarketIndexFacts {
  list(): IndexItem[]
  /** null for a key that is not in the list. */
  price(key: string, currency: Currency): IndexPrice | null
  /** null for a key that is not in the list. */
  info(key: string, language: 'cn' | 'en'): IndexInfo | null
}
