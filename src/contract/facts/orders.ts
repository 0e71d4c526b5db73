/** Questions about orders. */
import type { FrontendOrder, OpenOrder, OrderUpdate, ShownOrder } from '../records/order.ts'
import type { ActiveOrderStats, TopOpenOrder } from '../records/standing-order.ts'

export interface OrdersFacts {
  /** Newest first. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): ShownOrder[]
  /** Newest first, only those with something filled. */
  filledLatest(address: string, query: { coin?: string | undefined; limit: number }): ShownOrder[]
  byId(oid: string): ShownOrder | null
  /** null when missing or nothing of it is filled. */
  filledById(oid: string): ShownOrder | null
  /** Newest first. `dex` empty for the main dex. */
  open(address: string, dex: string): OpenOrder[]
  frontendOpen(address: string, dex: string): FrontendOrder[]
  /** What the moment itself changed: placed, filled in part, ended; by id. */
  updates(address: string, dex: string): OrderUpdate[]
  /** By value, largest first; those worth at least `minUsd`, a decimal. */
  largestOpen(query: StandingQuery & { minUsd: string; limit: number }): TopOpenOrder[]
  /** An order worth `whaleUsd` or more, a decimal, is a whale's. */
  activeStats(query: StandingQuery & { whaleUsd: string }): ActiveOrderStats
}

interface StandingQuery {
  /** All coins when left out. */
  coin?: string | undefined
}
