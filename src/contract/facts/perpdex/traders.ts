/** Queries about traders, compared and searched. */

import type { Slices } from '../../../clock/turns.ts'
import type { TraderAccount, TraderStatistics } from '../../records/trader.ts'
import type { FoundTrader, TraderSearchQuery } from '../../records/trader-search.ts'
import type { Refusal } from '../../refusal.ts'
import type { Days } from './pnl-curves.ts'

/** What comes first in a search for smart money, largest first. */
export type SmartMoneySort =
  | 'win-rate'
  | 'account-balance'
  | 'ROI'
  | 'pnl'
  | 'position-count'
  | 'profit-count'
  | 'last-operation'
  | 'avg-holding-period'
  | 'current-position'

export interface SmartMoneyQuery {
  pageNum: number
  pageSize: number
  period: Days
  sort: SmartMoneySort
  pnlList: boolean
}

/** A page of a list. */
export interface Page<T> {
  list: T[]
  total: number
  pageNum: number
  pageSize: number
}

/** A page of those found, and how many there are. */
export interface FoundTraders<T = FoundTrader> {
  list: T[]
  total: number
}

export interface TradersFacts {
  /** In the order asked for; zeros for an address that has done nothing yet. */
  accounts(addresses: string[]): TraderAccount[]
  statistics(addresses: string[], days: Days, hasPnlList: boolean): TraderStatistics[]
  /** A bare list or a page, by the question `smart-find-form`. */
  smartMoney(query: SmartMoneyQuery): Slices<TraderStatistics[] | Page<TraderStatistics>>
  /** Refuses a name of a field that is not known, and a comparison that makes no sense. */
  discover(query: TraderSearchQuery): Slices<FoundTraders> | Refusal<'invalid'>
  /** The same as of an earlier instant; now when that lies ahead. */
  discoverAt(
    timeMs: number | undefined,
    query: TraderSearchQuery,
  ): Slices<FoundTraders<FoundTrader & { time: number }>> | Refusal<'invalid'>
}
