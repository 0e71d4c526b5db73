import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { LiquidationColumn } from '../../records/liquidation.ts'
import { Coin, Lookback, Type, WithDefault } from '../../schema.ts'

export const liquidationsMarketHeatmap = operation({
  id: 'perpdex.liquidationsMarketHeatmap',
  method: 'GET',
  path: '/hl/liquidations/market-heatmap',
  title: 'Liquidations by time and price',
  about: 'Liquidations by time interval and price interval.',
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
    'The shape is our own choice: the cells of the estimated-liquidation history, by time.',
    'estimated-liquidation-cells',
    'At most 97 time intervals, of 1m, 5m, 15m, 1h, 4h or 1d; those without liquidations are ' +
      'omitted.',
  ],
  examples: [{ name: 'of a day', query: { coin: 'BTC', interval: '1d' } }],
  answer: ({ query }, facts) => facts.liquidations.columns(query),
})
