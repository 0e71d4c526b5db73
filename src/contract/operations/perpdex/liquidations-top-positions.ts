import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { LiquidatedPosition } from '../../records/liquidation.ts'
import { Coin, Limit, Lookback, Type } from '../../schema.ts'

export const liquidationsTopPositions = operation({
  id: 'perpdex.liquidationsTopPositions',
  method: 'GET',
  path: '/hl/liquidations/top-positions',
  title: 'Largest positions liquidated',
  about: 'For one coin, by value.',
  source: 'Action map; the record from public documentation',
  envelope: B(),
  access: permission('HL_LIQUIDATIONS_TOP_POSITIONS'),
  params: {
    query: Type.Object({
      interval: Type.Optional(Lookback('1m', '60d', { 'x-usual': 'top-positions-interval' })),
      coin: Coin(),
      limit: Limit({ default: 10, max: 100 }),
    }),
  },
  data: Type.Array(LiquidatedPosition),
  refuses: ['missing'],
  assumed: [
    'top-positions-interval',
    '`limit` is optional, `coin` is required.',
    'A liquidation without trades in the recording belongs to no account and is omitted.',
  ],
  examples: [
    { name: 'of a day', query: { interval: '1d', coin: 'BTC', limit: '10' } },
    { name: 'without an interval', query: { coin: 'BTC' } },
  ],
  answer({ query: { interval, coin, limit } }, facts) {
    const usual = facts.moment.answers['top-positions-interval']
    if (interval === undefined && usual === 'refuse')
      return { refused: 'missing', parameter: 'interval' }
    return facts.liquidations.topPositions({ coin, interval: interval ?? usual, limit })
  },
})
