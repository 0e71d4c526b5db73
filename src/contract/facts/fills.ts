/** Questions about fills and trades. */
import type { Fill, TopTrade, UserFill } from '../records/fill.ts'

export interface FillsFacts {
  /** Oldest first: the latest `limit` fills, ascending by time. */
  ofAddress(address: string, query: { coin?: string | undefined; limit: number }): Fill[]
  ofOrder(oid: number): Fill[]
  /** By value, largest first; only the taker's side of each trade. */
  topTrades(query: { coin: string; intervalMs: number; limit: number }): TopTrade[]
  /** Newest first. */
  native(address: string, limit: number): UserFill[]
  /** Oldest first. */
  nativeBetween(
    address: string,
    query: { startTimeMs: number; endTimeMs?: number | undefined; limit: number },
  ): UserFill[]
}
