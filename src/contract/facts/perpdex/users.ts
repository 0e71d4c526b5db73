/** Queries about one account, as the venue itself answers them. */
import type { Slices } from '../../../clock/turns.ts'
import type { ActiveAsset } from '../../records/asset-context.ts'
import type { UserFees } from '../../records/fees.ts'
import type { UserFill } from '../../records/fill.ts'
import type { FundingPayment } from '../../records/funding.ts'
import type { LedgerUpdate } from '../../records/ledger.ts'
import type { HistoricalOrder, OrderStatus } from '../../records/order-history.ts'
import type { VenuePortfolio } from '../../records/portfolio.ts'
import type { SpotState } from '../../records/spot-state.ts'

/** Both instants are inside it; open where one is left out. */
export interface TimeRange {
  startTimeMs?: number | undefined
  endTimeMs?: number | undefined
}

export interface UsersFacts {
  isKnown(address: string): boolean
  /** Without balances for an unknown address. */
  spot(address: string): SpotState
  fees(address: string): Slices<UserFees>
  /** Changes of status, newest first, at most `limit`. */
  orderHistory(address: string, limit: number): HistoricalOrder[]
  /** By id or by the client's own id, `0x` and 32 hex digits. */
  orderStatus(address: string, oid: number | string): OrderStatus
  /** Oldest first, at most `limit`. */
  funding(address: string, span: TimeRange, limit: number): Slices<FundingPayment[]>
  /** Oldest first, at most `limit`. */
  ledger(address: string, span: TimeRange, limit: number): LedgerUpdate[]
  /** What came in less what went out so far, USD. */
  netDeposits(address: string): string
  portfolio(address: string): VenuePortfolio
  /** Fills of TWAPs, newest first, at most `limit`. */
  twapSlices(address: string, limit: number): { fill: UserFill; twapId: number }[]
  /** null for a coin that is no perpetual or has no price. */
  activeAsset(address: string, coin: string): ActiveAsset | null
  /** Volume so far in USD, and how many orders that allows. */
  rateLimit(address: string): {
    cumVlm: string
    nRequestsUsed: number
    nRequestsCap: number
    nRequestsSurplus: number
  }
}
