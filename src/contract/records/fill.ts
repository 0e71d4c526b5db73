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

const venueFillFields = {
  coin: Coin(),
  px: Decimal('price'),
  sz: Decimal('size'),
  side: Side,
  time: TimeMs(),
  startPosition: Decimal('signed position before the fill'),
  dir: Type.String({ description: 'what it did to the position, in words for display' }),
  closedPnl: Decimal('realised PnL in USD'),
  hash: IdOf('transaction', Type.String({ description: 'transaction hash' })),
  oid: IdOf('order', Type.Integer({ description: 'order id' })),
  crossed: Type.Boolean({ description: 'true for the taker' }),
  fee: Decimal('fee; negative is a rebate'),
  tid: IdOf('trade', Type.Integer({ description: 'trade id, the same on both sides' })),
  feeToken: Type.String(),
  twapId: Nullable(IdOf('twap', Type.Integer({ description: 'the TWAP it is a slice of' }))),
}

/** What a forced closing adds to a fill. */
const liquidation = Type.Object(
  {
    liquidatedUser: Address(),
    markPx: Decimal('mark price'),
    method: Type.Union([Type.Literal('market'), Type.Literal('backstop')]),
  },
  { title: 'FillLiquidation' },
)

/** Native form as `POST /info userFills` and `userFills` give it. */
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
 * Native form with the address, as `/ws/fills` pushes it (the service's documentation,
 * Perpetual-DEX records).
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

/**
 * Native form with what the builder earned (the service's documentation, Perpetual-DEX records).
 */
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

/** Whether the partial fills of one crossing order and instant are shown as one. */
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

/** A fill in the form that the question `fill-form` says. */
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

/** A trade as the public stream pushes it. */
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
