/** Queries about orders. */

import type { Slices } from '../../../clock/turns.ts'
import type { ActiveOrderStats, TopOpenOrder } from '../../records/active-order.ts'
import type { FrontendOrder, OpenOrder, OrderInForm, OrderUpdate } from '../../records/order.ts'

export interface OrdersFacts {
  /** Newest first. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): OrderInForm[]
  /** Newest first, only those with something filled. */
  filledLatest(address: string, query: { coin?: string | undefined; limit: number }): OrderInForm[]
  byId(oid: string): OrderInForm | null
  /** null when missing or nothing of it is filled. */
  filledById(oid: string): OrderInForm | null
  /** Newest first. `dex` empty for the main dex. */
  open(address: string, dex: string): OpenOrder[]
  frontendOpen(address: string, dex: string): FrontendOrder[]
  /** What the moment itself changed: placed, filled in part, ended; by id. */
  updates(address: string, dex: string): OrderUpdate[]
  /** By value, largest first; those worth at least `minUsd`, a decimal. */
  largestOpen(query: OpenOrdersQuery & { minUsd: string; limit: number }): Slices<TopOpenOrder[]>
  /** An order worth `whaleUsd` or more, a decimal, is a whale's. */
  activeStats(query: OpenOrdersQuery & { whaleUsd: string }): Slices<ActiveOrderStats>
}

interface OpenOrdersQuery {
  /** All coins when left out. */
  coin?: string | undefined
}
