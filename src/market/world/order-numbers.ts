/**
 * Numbers of orders. A millisecond has so many of them, and some of these are kept for accounts of
 * the crowd that are liquidated: the liquidation's order, that which opened the position, and that
 * which closed what the liquidation left. So of a number one knows when it was given, and to whom.
 */
export interface OrderPlace {
  /** Since the history began. */
  ms: number
  /** Which of the millisecond's numbers it is. */
  place: number
}

const FIRST_OID = 100_000_000_000
const OIDS_PER_MS = 128
/** Liquidations of the crowd of one millisecond, at most. */
export const LIQUIDATIONS_PER_MS = 8

/** From this place on, numbers are those of accounts that are liquidated, in three groups. */
export const ORDERS_PER_MS = OIDS_PER_MS - 3 * LIQUIDATIONS_PER_MS
export type ForcedOrder = 'opening' | 'rest' | 'liquidation'
const GROUPS: readonly ForcedOrder[] = ['opening', 'rest', 'liquidation']

export const isOrderNumber = (oid: number): boolean => Number.isSafeInteger(oid) && oid >= FIRST_OID

export function oidAt({ ms, place }: OrderPlace): number {
  return FIRST_OID + ms * OIDS_PER_MS + place
}

export function placeOf(oid: number): OrderPlace {
  const count = oid - FIRST_OID
  const ms = Math.floor(count / OIDS_PER_MS)
  return { ms, place: count - ms * OIDS_PER_MS }
}

/** The number of an order of a liquidated account: it has its liquidation's place in its group. */
export function forcedOid(order: ForcedOrder, ms: number, place: number): number {
  const first = ORDERS_PER_MS + GROUPS.indexOf(order) * LIQUIDATIONS_PER_MS
  return oidAt({ ms, place: first + place })
}

/** The place of the liquidation of an order's account; null for an order of anybody else. */
export function forcedPlace({ ms, place }: OrderPlace): OrderPlace | null {
  if (place < ORDERS_PER_MS) return null
  return { ms, place: (place - ORDERS_PER_MS) % LIQUIDATIONS_PER_MS }
}
