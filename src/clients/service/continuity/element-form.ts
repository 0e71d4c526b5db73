/** Channels whose pushes are lists: the form and key of their elements. */

/** A trade, a fill, an order or a change of the ledger. */
// biome-ignore lint/suspicious/noExplicitAny: each form knows the fields of its own channel
export type Element = any

export interface ElementForm {
  /** The elements of a push. */
  elements(data: Element): readonly Element[]
  /** Pushes of just these elements. */
  pushes(elements: readonly Element[], fields: Record<string, unknown>): unknown[]
  /** Equal for two copies of one element. */
  key(element: Element): string | number
  timeMs(element: Element): number
  /** The present elements are pushed first after a subscription. */
  hasSnapshot: boolean
}

/** Both sides of a trade have its id, and an account can trade with itself. */
const fillKey = ({ tid, side }: Element) => `${tid}${side}`

/** By channel. Others push states, which the next push replaces. */
export const ELEMENT_FORMS: Readonly<Record<string, ElementForm>> = {
  trades: {
    elements: (data) => data,
    pushes: (elements) => [elements],
    key: ({ tid }) => tid,
    timeMs: ({ time }) => time,
    hasSnapshot: true,
  },
  userFills: {
    elements: ({ fills }) => fills,
    pushes: (fills, { user }) => [{ user, fills }],
    key: fillKey,
    timeMs: ({ time }) => time,
    hasSnapshot: true,
  },
  addressFills: {
    elements: (data) => [data],
    pushes: (fills) => [...fills],
    key: fillKey,
    timeMs: ({ time }) => time,
    hasSnapshot: false,
  },
  addressFilledOrders: {
    elements: (data) => [data],
    pushes: (orders) => [...orders],
    key: ({ oid, ts, sz, status }) => `${oid}/${ts}/${sz}/${status}`,
    timeMs: ({ ts }) => ts,
    hasSnapshot: false,
  },
  userNonFundingLedgerUpdates: {
    elements: ({ nonFundingLedgerUpdates }) => nonFundingLedgerUpdates,
    pushes: (elements, { user }) => [{ user, nonFundingLedgerUpdates: elements }],
    key: ({ hash, time, delta }) => `${hash}/${time}/${JSON.stringify(delta)}`,
    timeMs: ({ time }) => time,
    hasSnapshot: true,
  },
}
