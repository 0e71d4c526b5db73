import { permission } from '../../access.ts'
import { B } from '../../envelope.ts'
import { operation } from '../../operation.ts'
import { LiquidationColumn } from '../../records/liquidation.ts'
import { Coin, Lookback, Type, WithDefault } from '../../schema.ts'

export const liquidationsMarketHeatmap = operation({
  id: 'perpdex.liquidationsMarketHeatmap',
  method: 'GET',
  path: '/hl/liquidations/market-heatmap',
  title: 'Forced closings by time and price',
  about: 'What was liquidated, by stretches of time and intervals of price.',
  source: 'Action map',
  envelope: B(),
  access: permission('HL_LIQUIDATIONS_MARKET_HEATMAP'),
  params: {
    query: Type.Object({
      coin: Coin(),
      interval: WithDefault(Lookback('15m', '60d'), '1d'),
    }),
  },
  data: Type.Array(LiquidationColumn),
  assumed: [
    "The shape is this sandbox's own: the cells of the estimated-liquidation history, by time.",
    'estimated-liquidation-cells',
    'At most 97 stretches, of 1m, 5m, 15m, 1h, 4h or 1d; those without closings are left out.',
  ],
  examples: [{ name: 'of a day', query: { coin: 'BTC', interval: '1d' } }],
  answer: ({ query }, facts) => facts.liquidations.columns(query),
})
