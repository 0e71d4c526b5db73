import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { LiquidationMap } from '../../records/liquidation.ts'
import { Coin, Lookback, Nullable, Type } from '../../schema.ts'

export const liquidationsEstimatedHeatmap = operation({
  id: 'perpdex.liquidationsEstimatedHeatmap',
  method: 'GET',
  path: '/hl/liquidations/estimated-heatmap',
  title: 'Where open positions would be liquidated',
  about:
    'Open positions of a coin by their own liquidation price: long ones below the mark price, ' +
    'short ones above it.',
  source: 'Action map',
  envelope: B(),
  access: permission('HL_LIQUIDATIONS_MARKET_HEATMAP'),
  params: {
    query: Type.Object({
      coin: Coin(),
      interval: Type.Optional(
        Lookback('15m', '60d', {
          description: 'only positions opened in that time',
          'x-usual': 'estimated-heatmap-interval',
        }),
      ),
    }),
  },
  data: Nullable(LiquidationMap),
  assumed: [
    'The shape is our own choice: the cells of the estimated-liquidation history.',
    'estimated-heatmap-interval',
    'estimated-liquidation-cells',
    'Positions without a liquidation price, or with one more than half of the mark price away, ' +
      'are omitted. Values are at the mark price.',
    'null for a coin that is unknown, has no price yet or is not a perpetual.',
  ],
  examples: [
    { name: 'all positions', query: { coin: 'BTC' } },
    { name: 'positions of a week', query: { coin: 'ETH', interval: '7d' } },
  ],
  answer: ({ query }, facts) => facts.liquidations.map(query),
})
