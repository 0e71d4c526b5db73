import { Coin, Decimal, type Static, TimeMs, Type } from '../schema.ts'

const venue = {
  t: TimeMs('opening time'),
  T: TimeMs('closing time: t + length - 1'),
  s: Coin(),
  i: Type.String({ description: 'interval' }),
  o: Decimal('open'),
  c: Decimal('close'),
  h: Decimal('high'),
  l: Decimal('low'),
  v: Decimal('volume in the coin'),
  n: Type.Integer({ description: 'number of trades' }),
}

/** A candle of the venue. */
export const Candle = Type.Object(venue, { title: 'Candle', additionalProperties: false })
export type Candle = Static<typeof Candle>

/**
 * A candle as the socket pushes it: with quote volume and the parts that takers bought (the
 * service's documentation).
 */
export const TakerCandle = Type.Object(
  {
    ...venue,
    a: Decimal('volume in the quote unit'),
    nb: Type.Integer({ description: 'trades with a buying taker' }),
    vb: Decimal('volume bought by takers'),
    ab: Decimal('quote volume bought by takers'),
  },
  { title: 'TakerCandle', additionalProperties: false },
)
export type TakerCandle = Static<typeof TakerCandle>
