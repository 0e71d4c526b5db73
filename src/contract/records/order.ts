import {
  Address,
  Coin,
  Decimal,
  Digits,
  IdOf,
  Nullable,
  Side,
  type Static,
  TimeMs,
  Type,
} from '../schema.ts'
import { OrderStatusWord } from './order-status.ts'

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

/** What every form of an order of the venue says. */
const placedFields = {
  coin: Coin(),
  side: Side,
  limitPx: Decimal('limit price'),
  sz: Decimal('size left'),
  oid: IdOf('order', Type.Integer()),
  origSz: Decimal('size when placed'),
}

/** The terms that the longer forms add. */
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

/** An order that has changed, as the venue pushes it on `orderUpdates`. */
export const OrderUpdate = Type.Object(
  { order: OpenOrder, status: Type.String(), statusTimestamp: TimeMs('time of the change') },
  { title: 'OrderUpdate', additionalProperties: false },
)
export type OrderUpdate = Static<typeof OrderUpdate>

/** The nested form that the service was seen to answer. */
export const NestedOrder = Type.Object(
  { order: FrontendOrder, status: Type.String(), statusTimestamp: TimeMs('time of the change') },
  { title: 'NestedOrder', additionalProperties: false },
)
export type NestedOrder = Static<typeof NestedOrder>

/** An order by oid or in a list, in the form that the question `order-form` says. */
export const OrderInForm = Type.Union([Order, NestedOrder], { title: 'OrderInForm' })
export type OrderInForm = Static<typeof OrderInForm>

/**
 * An order that was filled or ended, as `/ws/filled-orders` pushes it (the service's documentation,
 * Events).
 */
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
