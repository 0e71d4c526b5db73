import { permission } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { LiquidationStat } from '../../records/liquidation.ts'
import { Coin, Limit, Span, Type, WithDefault } from '../../schema.ts'

export const liquidationsHistory = operation({
  id: 'perpdex.liquidationsHistory',
  method: 'GET',
  path: '/hl/liquidations/history',
  title: 'Liquidations over time',
  about: 'Sums by time interval, newest first; the newest interval is not complete.',
  source: 'Action map; the record from public documentation',
  envelope: B(),
  access: permission('HL_LIQUIDATIONS_HISTORY'),
  params: {
    query: Type.Object({
      coin: Type.Optional(Coin()),
      interval: WithDefault(meant('interval', Span('1m', '60d', 'length of an interval')), '1h'),
      limit: Limit({ default: 20, max: 100 }, 'stretches at most'),
    }),
  },
  data: Type.Array(LiquidationStat),
  assumed: [
    'quiet-liquidations',
    'Time intervals of an hour by default.',
    'Time intervals begin at full minutes, hours and days of UTC, counted from 1970.',
  ],
  examples: [
    { name: 'of hours', query: { interval: '1h', limit: '24' } },
    { name: 'of one coin', query: { coin: 'ETH', interval: '5m' } },
  ],
  answer: ({ query }, facts) => facts.liquidations.history(query),
})
