import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { CoinLiquidationStat } from '../../records/liquidation.ts'
import { Lookback, Type } from '../../schema.ts'

export const liquidationsStatByCoin = operation({
  id: 'perpdex.liquidationsStatByCoin',
  method: 'GET',
  path: '/hl/liquidations/stat-by-coin',
  title: 'Sums of liquidations by coin',
  about: 'Only coins with liquidations, by value.',
  source: 'Action map; the record from public documentation',
  envelope: B(),
  access: permission('HL_LIQUIDATIONS_STAT_BY_COIN'),
  params: {
    query: Type.Object({
      interval: Type.Optional(Lookback('1s', '60d', { 'x-usual': 'liquidation-window' })),
    }),
  },
  data: Type.Array(CoinLiquidationStat),
  assumed: ['liquidation-window', 'Largest value first.'],
  examples: [{ name: 'of a day', query: { interval: '1d' } }],
  answer: ({ query }, facts) => facts.liquidations.byCoin(query),
})
