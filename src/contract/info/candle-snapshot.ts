import { meant } from '../meaning.ts'
import { Candle } from '../records/candle.ts'
import { Coin, Nullable, OneOf, TimeMs, Type } from '../schema.ts'
import { infoType } from './info-type.ts'
import { RangeEnd } from './range.ts'

/** The lengths of candles that the venue has, in its questions and on its sockets. */
export const VenueInterval = () =>
  meant(
    'interval',
    OneOf(
      ['1m', '3m', '5m', '15m', '30m', '1h', '2h', '4h', '8h', '12h', '1d', '3d', '1w', '1M'],
      'length of a candle',
    ),
  )

export const candleSnapshot = infoType({
  type: 'candleSnapshot',
  title: 'Candles, oldest first: the 5000 most recent of the span',
  request: Type.Object({
    req: Type.Object({
      coin: Coin(),
      interval: VenueInterval(),
      startTime: meant('rangeStart', TimeMs('from; the candle that contains it is the first')),
      endTime: RangeEnd,
    }),
  }),
  data: Nullable(Type.Array(Candle)),
  examples: [{ req: { coin: 'BTC', interval: '15m', startTime: 0 } }],
  answer: ({ req }, facts) =>
    facts.candles.between({
      coin: req.coin,
      interval: req.interval,
      startTimeMs: req.startTime,
      endTimeMs: req.endTime ?? undefined,
    }),
})
