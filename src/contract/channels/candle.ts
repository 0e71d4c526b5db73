import { permission } from '../access.ts'
import { channel } from '../channel.ts'
import { NODE_DIALECT } from '../dialect.ts'
import { meant } from '../meaning.ts'
import { TakerCandle } from '../records/candle.ts'
import { Coin, OneOf, Type } from '../schema.ts'
import { spanMs } from '../span.ts'

export const candle = channel({
  id: 'candle',
  dialect: NODE_DIALECT,
  access: permission('HL_WS_NODE'),
  title: 'Candles',
  about:
    'The running candle, sent again under the same `t` until it closes; at most one push in 0.5 s.',
  source: 'Perpetual-DEX WebSocket; Limits',
  subscription: Type.Object({
    type: Type.Literal('candle'),
    coin: Coin(),
    interval: meant(
      'interval',
      OneOf(['1s', '5s', '15s', '1m', '15m', '1h', '4h'], 'length of a candle'),
    ),
  }),
  key: ['coin', 'interval'],
  counted: true,
  pushPolicy: { minGapMs: 500, stateOf: 'coin' },
  data: TakerCandle,
  examples: [{ type: 'candle', coin: 'BTC', interval: '1m' }],
  assumed: ['republished-channels', 'stale-channels'],
  topics: ({ coin }) => [`trade/${coin}`],
  exists: ({ coin }, facts) => facts.market.isCoin(coin),
  snapshot: ({ coin, interval }, facts) => facts.candles.last(coin, interval) ?? undefined,
  push: ({ coin, interval }, _, facts) => facts.candles.last(coin, interval) ?? undefined,
  *closedBefore({ coin, interval }, { last, next }, facts) {
    if (last.t === next.t) return
    const lengthMs = spanMs(interval)
    const earliestMs = Math.max(last.t + lengthMs, next.t - CATCH_UP * lengthMs)
    for (const t of [last.t, ...instants(earliestMs, next.t, lengthMs)]) {
      const closed = facts.candles.at(coin, interval, t)
      if (closed) yield closed
    }
  },
})

/**
 * Number of intervals before the running one that are pushed late. With two pushes a second there
 * are no more, unless the market is played too fast for a push of each.
 */
const CATCH_UP = 2

function instants(fromMs: number, beforeMs: number, stepMs: number): number[] {
  const count = Math.max(0, Math.ceil((beforeMs - fromMs) / stepMs))
  return Array.from({ length: count }, (_, index) => fromMs + index * stepMs)
}
