import { Coin, Decimal, Nullable, type Static, TimeMs, Type } from '../schema.ts'

/** A price level in the venue's form. */
export const BookLevel = Type.Object(
  {
    px: Decimal('price'),
    sz: Decimal('size'),
    n: Type.Integer({ description: 'number of orders' }),
  },
  { title: 'BookLevel', additionalProperties: false },
)
export type BookLevel = Static<typeof BookLevel>

/** `[price, quantity]` of the depth endpoints. */
export const PriceQuantity = Type.Tuple([Decimal('price'), Decimal('quantity')], {
  title: 'PriceQuantity',
})

/** A book of the perpetual venue: bids descending, asks ascending, at most 20 levels a side. */
export const L2Book = Type.Object(
  {
    coin: Coin(),
    time: TimeMs('source time of the book, ms'),
    levels: Type.Tuple([Type.Array(BookLevel), Type.Array(BookLevel)], {
      description: '[bids, asks]',
    }),
    spread: Type.Optional(Decimal('best ask less best bid; only with nSigFigs')),
  },
  { additionalProperties: false },
)
export type L2Book = Static<typeof L2Book>

/** The rounding of prices in a subscription or request of a book. */
export const BookRounding = {
  nSigFigs: Type.Optional(Nullable(Type.Integer({ minimum: 2, maximum: 5 }))),
  mantissa: Type.Optional(
    Nullable(Type.Union([Type.Literal(1), Type.Literal(2), Type.Literal(5)])),
  ),
}

/** Best bid and offer. */
export const Bbo = Type.Object(
  {
    coin: Coin(),
    time: TimeMs(),
    bbo: Type.Tuple([Type.Union([BookLevel, Type.Null()]), Type.Union([BookLevel, Type.Null()])], {
      description: '[bid, ask]',
    }),
  },
  { title: 'Bbo', additionalProperties: false },
)
export type Bbo = Static<typeof Bbo>
