import { permission } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { EstimatedLiquidation, historyRange } from '../../records/futures-history.ts'
import { historyOf } from '../../responses/futures-history.ts'
import { OneOf, SymbolName, Type } from '../../schema.ts'

export const estimatedLiquidationHistory = operation({
  id: 'futures.estimatedLiquidationHistory',
  method: 'GET',
  path: '/futures/estimated-liquidation/history',
  title: 'Estimated liquidations of a pair',
  about:
    'Where positions opened in the cycle would be liquidated, by leverage: long ones below' +
    ' the price, short ones above it.',
  source: 'Futures, index and coin data; Candle-like history records; Limits',
  envelope: B(),
  access: permission('futures:ESTIMATED_LIQUIDATION_HISTORY'),
  params: {
    query: Type.Object({
      dbkey: SymbolName('perpetual pair, `symbol:exchange`; lower case `dbkey`'),
      leverage: Type.Optional(OneOf(['10', '25', '50', '100'], 'empty returns all')),
      cycle: meant('rangeLength', OneOf(['24h', '7d'], 'positions opened in that time')),
      ...historyRange({ default: 100, max: 100 }, { 'x-each': '15m' }),
    }),
  },
  data: Type.Array(EstimatedLiquidation),
  refuses: ['symbol'],
  assumed: [
    'unknown-symbol',
    'history-excess',
    'estimated-liquidation-cells',
    'Oldest first; `limit` counts records, each of 15 minutes, and is cut to 100.',
    'On each side of the open interest, 21 % have leverage 10, 12 % have 25, 7 % have 50 and 4 % ' +
      'have 100.',
    'Long positions were opened within 7 days when takers bought, short ones when takers sold, ' +
      'most of them recently; positions with higher leverage are held for a shorter time.',
    'Maintenance margin is 0.4 %; positions whose liquidation price was passed later are omitted.',
  ],
  examples: [
    {
      name: 'newest, one leverage',
      query: { dbkey: 'btcswapusdt:binance', cycle: '24h', leverage: '25', limit: '1' },
    },
  ],
  answer: ({ query: { dbkey, start_time, end_time, ...rest } }, facts) => {
    const span = { startTimeMs: start_time, endTimeMs: end_time }
    const parameters = { ...rest, ...span, symbol: dbkey }
    return historyOf(facts.futures.estimatedLiquidations(parameters), dbkey, facts)
  },
})
