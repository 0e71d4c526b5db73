import { meant } from '../meaning.ts'
import { Coin, Decimal, OneOf, type Static, TimeMs, Type } from '../schema.ts'

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
 * A candle of the socket: with quote volume and taker buy volumes (the service's documentation).
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

/** The candle intervals of the venue, in requests and on its sockets. */
export const VenueInterval = () =>
  meant(
    'interval',
    OneOf(
      ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '12h', '1d', '3d', '1w', '1M'],
      'length of a candle',
    ),
  )
