import { Coin, Decimal, type Static, TimeMs, TimeS, Type } from '../schema.ts'

const exact = { additionalProperties: false }

/** Taker buys minus taker sells. */
export const TakerDelta = Type.Object(
  {
    szDelta: Decimal('in the coin; positive when takers bought more'),
    valDelta: Decimal('in the quote unit; positive when takers bought more'),
  },
  { ...exact, title: 'TakerDelta' },
)
export type TakerDelta = Static<typeof TakerDelta>

/** A candle with taker buy volumes. */
export const TakerKline = Type.Object(
  {
    openTime: TimeMs('opening time'),
    tc: Type.Integer({ description: 'number of trades' }),
    size: Decimal('volume in the coin'),
    amount: Decimal('volume in the quote unit'),
    tcBuyer: Type.Integer({ description: 'trades with a buying taker' }),
    sizeBuyer: Decimal('volume bought by takers, in the coin'),
    amountBuyer: Decimal('volume bought by takers, in the quote unit'),
    open: Decimal('first price'),
    high: Decimal('highest price'),
    low: Decimal('lowest price'),
    close: Decimal('last price'),
  },
  { ...exact, title: 'TakerKline' },
)
export type TakerKline = Static<typeof TakerKline>

/** An order book, summed at an instant. */
export const BookSummary = Type.Object(
  {
    time: TimeS(),
    coin: Coin(),
    bidVolume: Decimal('sum over the bids'),
    askVolume: Decimal('sum over the asks'),
  },
  { ...exact, title: 'BookSummary' },
)
export type BookSummary = Static<typeof BookSummary>
