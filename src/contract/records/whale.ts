import {
  Address,
  Coin,
  Decimal,
  NullableDecimal,
  OneOf,
  type Static,
  TimeIso,
  TimeMs,
  Type,
} from '../schema.ts'

const exact = { additionalProperties: false }

const common = {
  user: Address(),
  symbol: Coin(),
  positionSize: Decimal('signed size'),
  entryPrice: Decimal('average entry price'),
  liqPrice: NullableDecimal('liquidation price'),
  positionValueUsd: Decimal('USD'),
  marginMode: OneOf(['cross', 'isolated'], 'margin mode'),
}

/** An open position worth more than 1,000,000 USD. */
export const WhalePosition = Type.Object(
  {
    ...common,
    leverage: Type.Integer(),
    marginBalance: Decimal('margin of the position, USD'),
    unrealizedPnL: Decimal('USD'),
    fundingFee: Decimal('funding since it was opened, USD'),
    createTime: TimeMs('when it was opened'),
    updateTime: TimeMs('when it last changed'),
  },
  { ...exact, title: 'WhalePosition' },
)
export type WhalePosition = Static<typeof WhalePosition>

/** Opening or closing of one (the service's documentation, Perpetual-DEX records). */
export const WhaleEvent = Type.Object(
  {
    ...common,
    positionAction: Type.Union([Type.Literal(1), Type.Literal(2)], {
      description: '1 opened, 2 closed',
    }),
    createTime: TimeIso('when that was'),
  },
  { ...exact, title: 'WhaleEvent' },
)
export type WhaleEvent = Static<typeof WhaleEvent>

/** The number of such positions on each side. */
export const WhaleDirections = Type.Object(
  {
    longCount: Type.Integer({ description: 'long positions' }),
    shortCount: Type.Integer({ description: 'short positions' }),
  },
  { ...exact, title: 'WhaleDirections' },
)
export type WhaleDirections = Static<typeof WhaleDirections>

/** The sides of such positions at an instant, over all coins. */
export const WhaleRatio = Type.Object(
  {
    time: TimeMs(),
    longRatio: Decimal('part of the positions that are long, a fraction'),
    positionValueDiff: Decimal('value of the long positions less that of the short ones, USD'),
    longPositionValueRatio: Decimal('part of the value that is long, a fraction'),
  },
  { ...exact, title: 'WhaleRatio' },
)
export type WhaleRatio = Static<typeof WhaleRatio>
