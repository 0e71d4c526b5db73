import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { TakerDelta } from '../../records/order-flow.ts'
import { Coin, Lookback, Type } from '../../schema.ts'
import { spanMs } from '../../span.ts'

export const accumulatedTakerDelta = operation({
  id: 'perpdex.accumulatedTakerDelta',
  method: 'GET',
  path: '/hl/accumulated-taker-delta/:coin',
  title: 'Taker buys minus taker sells',
  about: 'In the last interval; positive if takers bought more.',
  source: 'Action map; fields by public documentation',
  envelope: B(),
  access: permission('HL_ACCUMULATED_TAKER_DELTA'),
  params: {
    path: Type.Object({ coin: Coin() }),
    query: Type.Object({
      interval: Type.Optional(Lookback('1s', '60d', { 'x-usual': 'taker-delta-interval' })),
    }),
  },
  data: TakerDelta,
  refuses: ['missing'],
  assumed: ['taker-delta-interval', 'Zeros for an unknown coin.'],
  examples: [{ name: 'an hour', path: { coin: 'BTC' }, query: { interval: '1h' } }],
  answer({ path, query: { interval } }, facts) {
    const isStrict = facts.moment.answers['taker-delta-interval'] === 'refuse'
    if (interval === undefined && isStrict) return { refused: 'missing', parameter: 'interval' }
    return facts.orderFlow.takerDelta({ coin: path.coin, windowMs: spanMs(interval ?? '1h') })
  },
})
