import {
  Address,
  Coin,
  Decimal,
  Digits,
  IdOf,
  Nullable,
  NullableDecimal,
  OneOf,
  Side,
  type Static,
  TimeMs,
  Type,
} from '../schema.ts'

const exact = { additionalProperties: false }

/** A large open order (the service's documentation, Perpetual-DEX records). */
export const TopOpenOrder = Type.Object(
  {
    time: TimeMs('time placed'),
    address: Address(),
    oid: IdOf('order', Type.Integer({ description: 'order id' })),
    coin: Coin(),
    side: Side,
    sz: Decimal('size left'),
    origSz: Decimal('size when placed'),
    limitPx: Decimal('limit price'),
    val: Decimal('limitPx x sz, USD'),
    reduceOnly: Type.Boolean(),
    tif: Nullable(Type.String({ description: 'time in force' })),
    distPct: NullableDecimal('percent from the last trade price to limitPx'),
  },
  { ...exact, title: 'TopOpenOrder' },
)
export type TopOpenOrder = Static<typeof TopOpenOrder>

/** Open orders, counted and summed by side (the service's documentation, Perpetual-DEX records). */
export const ActiveOrderStats = Type.Object(
  {
    totalCount: Type.Integer({ description: 'open orders' }),
    bidCount: Type.Integer({ description: 'bids' }),
    askCount: Type.Integer({ description: 'asks' }),
    bidValue: Decimal('value of the bids, USD'),
    askValue: Decimal('value of the asks, USD'),
    bidValueRatio: Decimal('bidValue over the value of both, a fraction'),
    whaleBidCount: Type.Integer({ description: 'bids worth at least the threshold' }),
    whaleAskCount: Type.Integer({ description: 'asks worth at least the threshold' }),
    whaleBidValue: Decimal('value of those bids, USD'),
    whaleAskValue: Decimal('value of those asks, USD'),
    whaleBidValueRatio: Decimal('whaleBidValue over the value of both, a fraction'),
  },
  { ...exact, title: 'ActiveOrderStats' },
)
export type ActiveOrderStats = Static<typeof ActiveOrderStats>

/** The status of an order. */
export const OrderStatusWord = OneOf(
  ['open', 'filled', 'cancelled', 'canceled'],
  'status; how the third is spelled says the question `order-status-spelling`',
)
export type OrderStatusWord = Static<typeof OrderStatusWord>

/**
 * Simple form (the service's documentation, Perpetual-DEX records): flat, `oid` as text, status
 * `cancelled`.
 */
export const Order = Type.Object(
  {
    oid: IdOf('order', Digits('order id')),
    coin: Coin(),
    side: Type.Union([Type.Literal('buy'), Type.Literal('sell')]),
    price: Decimal('limit price'),
    size: Decimal('size when placed'),
    filledSize: Decimal('size filled so far'),
    status: OrderStatusWord,
    time: TimeMs('time of the last change of status'),
  },
  { title: 'Order', additionalProperties: false },
)
export type Order = Static<typeof Order>

/** The common fields of the venue's orders. */
const placedFields = {
  coin: Coin(),
  side: Side,
  limitPx: Decimal('limit price'),
  sz: Decimal('size left'),
  oid: IdOf('order', Type.Integer()),
  origSz: Decimal('size when placed'),
}

/** The additional fields of the longer forms. */
const orderTermFields = {
  isTrigger: Type.Boolean(),
  triggerPx: Decimal('trigger price, "0.0" for none'),
  children: Type.Array(Type.Unknown()),
  reduceOnly: Type.Boolean(),
  orderType: Type.String(),
  tif: Nullable(Type.String()),
  cloid: Nullable(Type.String()),
}

/** An open order of the venue. */
export const OpenOrder = Type.Object(
  {
    ...placedFields,
    timestamp: TimeMs('time placed'),
    cloid: Type.Optional(Type.String()),
    reduceOnly: Type.Optional(Type.Literal(true)),
  },
  { title: 'OpenOrder', additionalProperties: false },
)
export type OpenOrder = Static<typeof OpenOrder>

/** An open order with all its terms. */
export const FrontendOrder = Type.Object(
  {
    ...placedFields,
    ...orderTermFields,
    timestamp: TimeMs('time placed'),
    triggerCondition: Type.String(),
    isPositionTpsl: Type.Boolean(),
  },
  { title: 'FrontendOrder', additionalProperties: false },
)
export type FrontendOrder = Static<typeof FrontendOrder>

/** A changed order, as the venue pushes it on `orderUpdates`. */
export const OrderUpdate = Type.Object(
  { order: OpenOrder, status: Type.String(), statusTimestamp: TimeMs('time of the change') },
  { title: 'OrderUpdate', additionalProperties: false },
)
export type OrderUpdate = Static<typeof OrderUpdate>

/** The nested form that the service was observed to answer. */
export const NestedOrder = Type.Object(
  { order: FrontendOrder, status: Type.String(), statusTimestamp: TimeMs('time of the change') },
  { title: 'NestedOrder', additionalProperties: false },
)
export type NestedOrder = Static<typeof NestedOrder>

/** An order by oid or in a list, in the form of the question `order-form`. */
export const OrderInForm = Type.Union([Order, NestedOrder], { title: 'OrderInForm' })
export type OrderInForm = Static<typeof OrderInForm>

/** A filled or ended order of `/ws/filled-orders` (the service's documentation, Events). */
export const FilledOrder = Type.Object(
  {
    ...placedFields,
    ...orderTermFields,
    ts: TimeMs('time of the change of status'),
    address: Address(),
    hash: IdOf('transaction', Type.String()),
    builder: Type.String({ description: 'builder address, empty for none' }),
    builderF: Decimal('builder fee rate, tenths of a basis point'),
    status: OrderStatusWord,
    placeTs: TimeMs('time placed'),
    trigger: Type.String(),
    positionTpsl: Type.Boolean(),
  },
  { title: 'FilledOrder', additionalProperties: false },
)
export type FilledOrder = Static<typeof FilledOrder>
