/** Queries about fills and trades. */
import type { Slices } from '../../../clock/turns.ts'
import type {
  AddressFill,
  BuilderFill,
  Fill,
  FillInForm,
  SliceFill,
  TopTrade,
  UserFill,
} from '../../records/fill.ts'

export interface FillsFacts {
  /** Oldest first: the latest `limit` fills, ascending by time. */
  ofAddress(address: string, query: { coin?: string | undefined; limit: number }): FillInForm[]
  ofOrder(oid: number): FillInForm[]
  /** Oldest first. The form is an open question (`twap-fill-form`). */
  ofTwap(twap: number): SliceFill[] | Fill[] | AddressFill[]
  /** Newest first: fills that a builder brought in, worth at least `minUsd`. */
  ofBuilder(
    builder: string,
    query: { coin?: string | undefined; minUsd: number; limit: number },
  ): Slices<BuilderFill[]>
  /** By value, largest first; only the taker's side of each trade. */
  topTrades(query: { coin: string; intervalMs: number; limit: number }): Slices<TopTrade[]>
  /** Newest first, at once: what a subscription begins with. */
  native(address: string, limit: number): UserFill[]
  /**
   * Oldest first unless `reversed`; of the 10,000 most recent ones. `aggregated`: the partial fills
   * of one crossing order and instant as one.
   */
  nativeBetween(
    address: string,
    query: {
      startTimeMs: number
      endTimeMs?: number | undefined
      limit: number
      reversed?: boolean | undefined
      aggregated?: boolean | undefined
    },
  ): Slices<UserFill[]>
}
