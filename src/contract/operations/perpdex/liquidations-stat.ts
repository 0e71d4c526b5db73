import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { LiquidationStat } from '../../records/liquidation.ts'
import { Coin, Lookback, Type } from '../../schema.ts'

export const liquidationsStat = operation({
  id: 'perpdex.liquidationsStat',
  method: 'GET',
  path: '/hl/liquidations/stat',
  title: 'Sums of liquidations',
  about: 'For one coin or all coins, over the time before now.',
  source: 'Perpetual-DEX REST; the record from public documentation',
  envelope: B(),
  access: permission('HL_LIQUIDATIONS_STAT'),
  params: {
    query: Type.Object({
      coin: Type.Optional(Coin()),
      interval: Type.Optional(Lookback('1s', '60d', { 'x-usual': 'liquidation-window' })),
    }),
  },
  data: LiquidationStat,
  assumed: ['liquidation-window'],
  examples: [
    { name: 'of a day', query: { interval: '1d' } },
    { name: 'of one coin', query: { coin: 'BTC', interval: '1h' } },
  ],
  answer: ({ query }, facts) => facts.liquidations.stat(query),
})
