import { permission } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { TakerKline } from '../../records/order-flow.ts'
import { Coin, Limit, Span, TimeMs, Type } from '../../schema.ts'

export const klinesWithTakerVol = operation({
  id: 'perpdex.klinesWithTakerVol',
  method: 'GET',
  path: '/hl/klines-with-taker-vol/:coin/:interval',
  title: 'Candles with taker buy volume',
  about: 'The same candles as those of the socket and of candleSnapshot, oldest first.',
  source: 'Action map; fields and limits by public documentation',
  envelope: B(),
  access: permission('HL_KLINES_WITH_TAKER_VOL'),
  params: {
    path: Type.Object({
      coin: Coin(),
      interval: meant('interval', Span('1s', '1w', 'length of a candle')),
    }),
    query: Type.Object({
      startTime: meant(
        'rangeStart',
        Type.Optional(TimeMs('not before the candle that contains this, ms')),
      ),
      endTime: meant(
        'rangeEnd',
        Type.Optional(TimeMs('not after the candle that contains this, ms')),
      ),
      limit: Limit({ default: 100, max: 2000 }),
    }),
  },
  data: Type.Array(TakerKline),
  assumed: [
    'Oldest first. Intervals without trades are omitted.',
    'history-excess',
    'An empty list for an unknown coin.',
  ],
  examples: [{ name: 'quarters of hours', path: { coin: 'BTC', interval: '15m' } }],
  answer: ({ path, query: { startTime, endTime, limit } }, facts) =>
    facts.orderFlow.klines({ ...path, startTimeMs: startTime, endTimeMs: endTime, limit }),
})
