import {
  Address,
  Coin,
  Decimal,
  IdOf,
  Nullable,
  NullableDecimal,
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
