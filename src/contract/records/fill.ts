import {
  Address,
  Coin,
  Decimal,
  IdOf,
  Nullable,
  NullableDecimal,
  OneOf,
  Side,
  type Static,
  TimeMs,
  TimeS,
  Type,
} from '../schema.ts'

const exact = { additionalProperties: false }

/** State of a TWAP in the venue's form. */
export const TwapState = Type.Object(
  {
    coin: Coin(),
    executedNtl: Decimal('value executed so far'),
    executedSz: Decimal('size executed so far'),
    minutes: Type.Integer({ description: 'duration, minutes' }),
    randomize: Type.Boolean({ description: 'slices at random times' }),
    reduceOnly: Type.Boolean(),
    side: Side,
    sz: Decimal('size'),
    timestamp: TimeMs('start'),
    user: Address(),
  },
  { ...exact, title: 'TwapState' },
)
export type TwapState = Static<typeof TwapState>

/** A change of a TWAP's status as the venue writes it: it was started, or it ended. */
export const TwapChange = Type.Object(
  {
    time: TimeS('time of the change, s'),
    state: TwapState,
    status: Type.Object(
      {
        status: OneOf(
          ['activated', 'finished', 'terminated', 'error'],
          'activated when it began, then how it ended',
        ),
        description: Type.Optional(Type.String({ description: 'what went wrong' })),
      },
      exact,
    ),
    twapId: IdOf('twap', Type.Integer()),
  },
  { ...exact, title: 'TwapChange' },
)
export type TwapChange = Static<typeof TwapChange>

/** A TWAP of an address: its state with id and status, flat. */
export const AddressTwap = Type.Object(
  {
    twapId: IdOf('twap', Type.Integer()),
    user: Address(),
    coin: Coin(),
    side: Side,
    sz: Decimal('size'),
    executedSz: Decimal('size executed so far'),
    executedNtl: Decimal('value executed so far'),
    minutes: Type.Integer({ description: 'duration, minutes' }),
    reduceOnly: Type.Boolean(),
    randomize: Type.Boolean({ description: 'slices at random times' }),
    timestamp: TimeMs('start'),
    status: OneOf(
      ['activated', 'finished', 'terminated', 'error'],
      'activated while it runs, then how it ended',
    ),
  },
  { ...exact, title: 'AddressTwap' },
)
export type AddressTwap = Static<typeof AddressTwap>

const values = {
  buyVal: Decimal('value left to buy, USD'),
  sellVal: Decimal('value left to sell, USD'),
  netVal: Decimal('buyVal less sellVal'),
}

const WallInterval = Type.Object(
  {
    time: TimeMs('beginning of the interval, ms'),
    buySz: NullableDecimal('size left to buy; null for all coins'),
    sellSz: NullableDecimal('size left to sell; null for all coins'),
    ...values,
  },
  { ...exact, title: 'WallInterval' },
)

/** The remaining size of running TWAPs, by future intervals. */
export const TwapWall = Type.Object(
  {
    coin: Nullable(Coin()),
    time: TimeMs('the present'),
    buyCount: Type.Integer({ description: 'TWAPs that buy' }),
    sellCount: Type.Integer({ description: 'TWAPs that sell' }),
    ...values,
    wall: Type.Array(WallInterval, { description: 'oldest first' }),
  },
  { ...exact, title: 'TwapWall' },
)
export type TwapWall = Static<typeof TwapWall>

/** A running TWAP with its remaining size. */
export const TwapImpact = Type.Object(
  {
    twapId: IdOf('twap', Type.Integer()),
    address: Address(),
    coin: Coin(),
    side: Side,
    sz: Decimal('size'),
    executedSz: Decimal('size executed so far'),
    remainSz: Decimal('size left'),
    remainVal: Decimal('value left, USD'),
    minutes: Type.Integer({ description: 'duration, minutes' }),
    timestamp: TimeMs('start'),
    endTime: TimeMs('planned end'),
    reduceOnly: Type.Boolean(),
    randomize: Type.Boolean({ description: 'slices at random times' }),
    impactPct: Decimal('remainVal in percent of the turnover of 24 hours'),
  },
  { ...exact, title: 'TwapImpact' },
)
export type TwapImpact = Static<typeof TwapImpact>

const venueFillFields = {
  coin: Coin(),
  px: Decimal('price'),
  sz: Decimal('size'),
  side: Side,
  time: TimeMs(),
  startPosition: Decimal('signed position before the fill'),
  dir: Type.String({ description: 'effect on the position, as text for display' }),
  closedPnl: Decimal('realised PnL in USD'),
  hash: IdOf('transaction', Type.String({ description: 'transaction hash' })),
  oid: IdOf('order', Type.Integer({ description: 'order id' })),
  crossed: Type.Boolean({ description: 'true for the taker' }),
  fee: Decimal('fee; negative is a rebate'),
  tid: IdOf('trade', Type.Integer({ description: 'trade id, the same on both sides' })),
  feeToken: Type.String(),
  twapId: Nullable(IdOf('twap', Type.Integer({ description: 'the TWAP it is a slice of' }))),
}

/** The fields that a liquidation adds to a fill. */
const liquidation = Type.Object(
  {
    liquidatedUser: Address(),
    markPx: Decimal('mark price'),
    method: Type.Union([Type.Literal('market'), Type.Literal('backstop')]),
  },
  { title: 'FillLiquidation' },
)

/** Native form, in `POST /info userFills` and `userFills`. */
export const UserFill = Type.Object(
  {
    ...venueFillFields,
    builderFee: Type.Optional(Decimal('fee of the builder')),
    cloid: Type.Optional(Type.String()),
    liquidation: Type.Optional(liquidation),
  },
  { title: 'UserFill', additionalProperties: false },
)
export type UserFill = Static<typeof UserFill>

/**
 * Native form with the address, in `/ws/fills` (the service's documentation, Perpetual-DEX
 * records).
 */
export const AddressFill = Type.Object(
  {
    address: Address(),
    ...venueFillFields,
    builderFee: Type.Optional(Decimal('fee of the builder')),
  },
  { title: 'AddressFill', additionalProperties: false },
)
export type AddressFill = Static<typeof AddressFill>

/** Native form with the builder's earnings (the service's documentation, Perpetual-DEX records). */
export const BuilderFill = Type.Object(
  {
    address: Address(),
    ...venueFillFields,
    tid: Type.Optional(venueFillFields.tid),
    twapId: Type.Optional(venueFillFields.twapId),
    builderFee: Decimal('fee of the builder'),
  },
  { title: 'BuilderFill', additionalProperties: false },
)
export type BuilderFill = Static<typeof BuilderFill>

/** Whether the partial fills of one crossing order and instant are merged. */
export const Aggregated = Type.Optional(
  Nullable(
    Type.Boolean({ description: 'the partial fills of a crossing order and instant as one' }),
  ),
)

/** Simple form (the service's documentation, Perpetual-DEX records). */
export const Fill = Type.Object(
  {
    coin: Coin(),
    side: Type.Union([Type.Literal('buy'), Type.Literal('sell')]),
    price: Decimal('price'),
    size: Decimal('size'),
    time: TimeMs(),
    oid: IdOf('order', Type.Integer({ description: 'order id' })),
  },
  { title: 'Fill', additionalProperties: false },
)
export type Fill = Static<typeof Fill>

/** A slice of a TWAP. */
export const SliceFill = Type.Object(
  {
    coin: Coin(),
    side: Side,
    px: Decimal('price'),
    sz: Decimal('size'),
    time: TimeMs(),
    twapId: IdOf('twap', Type.Integer({ description: 'the TWAP it is a slice of' })),
  },
  { title: 'SliceFill', additionalProperties: false },
)
export type SliceFill = Static<typeof SliceFill>

/** A fill in the form of the question `fill-form`. */
export const FillInForm = Type.Union([Fill, UserFill], { title: 'FillInForm' })
export type FillInForm = Static<typeof FillInForm>

/** A large trade (the service's documentation, Perpetual-DEX records). */
export const TopTrade = Type.Object(
  {
    time: TimeMs(),
    address: Address(),
    coin: Coin(),
    side: Side,
    oid: IdOf('order', Type.Integer()),
    isTaker: Type.Boolean(),
    px: Decimal('price'),
    sz: Decimal('size'),
    val: Decimal('px x sz, USD'),
    endPosition: NullableDecimal('signed position after the fill'),
  },
  { title: 'TopTrade', additionalProperties: false },
)
export type TopTrade = Static<typeof TopTrade>

/** A trade of the public stream. */
export const Trade = Type.Object(
  {
    coin: Coin(),
    side: Side,
    px: Decimal('price'),
    sz: Decimal('size'),
    time: TimeMs(),
    hash: IdOf('transaction', Type.String()),
    tid: IdOf('trade', Type.Integer()),
    users: Type.Tuple([Address('buyer'), Address('seller')]),
  },
  { title: 'Trade', additionalProperties: false },
)
export type Trade = Static<typeof Trade>
