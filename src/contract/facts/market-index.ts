/** Queries about indexes (the service's documentation, Index). */
import type { Slices } from '../../clock/turns.ts'
import type { Currency, IndexInfo, IndexItem, IndexPrice } from '../records/market-index.ts'

export interface MarketIndexFacts {
  list(): Slices<IndexItem[]>
  /** null for an unknown key. */
  price(key: string, currency: Currency): Slices<IndexPrice | null>
  /** null for an unknown key. */
  info(key: string, language: 'cn' | 'en'): IndexInfo | null
}
