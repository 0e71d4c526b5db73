/** Questions about traders, compared and searched. */
import type { Discovered, DiscoverQuery } from '../records/discovered.ts'
import type { Account, Statistics } from '../records/trader.ts'
import type { Refusal } from '../refusal.ts'
import type { Days } from './curves.ts'

/** What comes first in a search for smart money, largest first. */
export type SmartSort =
  | 'win-rate'
  | 'account-balance'
  | 'ROI'
  | 'pnl'
  | 'position-count'
  | 'profit-count'
  | 'last-operation'
  | 'avg-holding-period'
  | 'current-position'

export interface SmartQuery {
  pageNum: number
  pageSize: number
  period: Days
  sort: SmartSort
  pnlList: boolean
}

/** A page of a list. */
export interface Page<T> {
  list: T[]
  total: number
  pageNum: number
  pageSize: number
}

export interface TradersFacts {
  /** In the order asked for; zeros for an address that has done nothing yet. */
  accounts(addresses: string[]): Account[]
  statistics(addresses: string[], days: Days, hasPnlList: boolean): Statistics[]
  /** A bare list or a page, by the question `smart-find-form`. */
  smart(query: SmartQuery): Statistics[] | Page<Statistics>
  /** Refuses a name of a field that is not known, and a comparison that makes no sense. */
  discover(query: DiscoverQuery): { list: Discovered[]; total: number } | Refusal<'invalid'>
  /** The same as of an earlier instant; now when that lies ahead. */
  discoverAt(
    timeMs: number | undefined,
    query: DiscoverQuery,
  ): { list: (Discovered & { time: number })[]; total: number } | Refusal<'invalid'>
}
