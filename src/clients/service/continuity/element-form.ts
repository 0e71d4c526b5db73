/** What the pushes of a channel are lists of: each element is told once, by what names it. */

/** A trade, a fill, an order or a change of the ledger. */
// biome-ignore lint/suspicious/noExplicitAny: each form knows the fields of its own channel
export type Element = any

export interface ElementForm {
  /** Of a push. */
  elements(data: Element): readonly Element[]
  /** Pushes that hold just these. */
  pushes(elements: readonly Element[], fields: Record<string, unknown>): unknown[]
  /** The same for two elements that are the same one. */
  key(element: Element): string | number
  timeMs(element: Element): number
  /** What stands when it is subscribed to is pushed first. */
  hasSnapshot: boolean
}

/** Both sides of a trade have its id, and somebody can trade with himself. */
const fillKey = ({ tid, side }: Element) => `${tid}${side}`

/** By the channel. Others push states, which the next one replaces. */
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
