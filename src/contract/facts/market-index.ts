/** Queries about indexes (the service's documentation, Index). */
import type { Slices } from '../../clock/turns.ts'
import type { Currency, IndexInfo, IndexItem, IndexPrice } from '../records/market-index.ts'

export interface MarketIndexFacts {
  list(): Slices<IndexItem[]>
  /** null for a key that is not in the list. */
  price(key: string, currency: Currency): Slices<IndexPrice | null>
  /** null for a key that is not in the list. */
  info(key: string, language: 'cn' | 'en'): IndexInfo | null
}
