/** Questions about orders. */
import type { FrontendOrder, OpenOrder, Order, OrderUpdate } from '../records/order.ts'

export interface OrdersFacts {
  /** Newest first. */
  latest(address: string, query: { coin?: string | undefined; limit: number }): Order[]
  /** Newest first, only those with something filled. */
  filledLatest(address: string, query: { coin?: string | undefined; limit: number }): Order[]
  byId(oid: string): Order | null
  /** null when missing or nothing of it is filled. */
  filledById(oid: string): Order | null
  /** Newest first. `dex` empty for the main dex. */
  open(address: string, dex: string): OpenOrder[]
  frontendOpen(address: string, dex: string): FrontendOrder[]
  /** What the moment itself changed: placed, filled in part, ended; by id. */
  updates(address: string, dex: string): OrderUpdate[]
}
