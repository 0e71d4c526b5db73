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
  Type,
} from '../schema.ts'

const exact = { additionalProperties: false }

/** State of a TWAP as the venue writes it. */
export const TwapState = Type.Object(
  {
    coin: Coin(),
    executedNtl: Decimal('value executed so far'),
    executedSz: Decimal('size executed so far'),
    minutes: Type.Integer({ description: 'over so many minutes' }),
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
    minutes: Type.Integer({ description: 'over so many minutes' }),
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
    time: TimeMs('beginning of the stretch, ms'),
    buySz: NullableDecimal('size left to buy; null for all coins'),
    sellSz: NullableDecimal('size left to sell; null for all coins'),
    ...values,
  },
  { ...exact, title: 'WallInterval' },
)

/** What running TWAPs have yet to trade, by stretches of time. */
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

/** A running TWAP and how much is left of it. */
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
    minutes: Type.Integer({ description: 'over so many minutes' }),
    timestamp: TimeMs('start'),
    endTime: TimeMs('planned end'),
    reduceOnly: Type.Boolean(),
    randomize: Type.Boolean({ description: 'slices at random times' }),
    impactPct: Decimal('remainVal in percent of the turnover of 24 hours'),
  },
  { ...exact, title: 'TwapImpact' },
)
export type TwapImpact = Static<typeof TwapImpact>
