import { signedAccess } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { A, operation } from '../../operation.ts'
import { STRATEGY_KEYS, StrategyPage } from '../../records/signal.ts'
import { strategyQueryOf } from '../../responses/signal-alert.ts'
import { OneOf, SymbolName, TimeMsDigits, Type } from '../../schema.ts'

export const signalStrategies = operation({
  id: 'signal.strategies',
  method: 'GET',
  path: '/signal/strategySignal',
  title: 'Strategy signals',
  about:
    'Signals of a strategy for a coin. depth_win_one: value of the open bids against the asks; ' +
    'depth_win_two: their number; depth_buy_one: bids far above asks; order_buy_one: takers buy ' +
    'nearly all of a high turnover; td_buy_one: nine falling closes; lsur_one: against a crowd ' +
    'that stands on one side.',
  source: 'Feature and signal data; Strategy-signal paging; Strategy signal',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      coin_type: SymbolName('key of a coin or its symbol'),
      signal_key: OneOf([...STRATEGY_KEYS], 'strategy'),
      latest_time: meant(
        'instant',
        Type.Optional(TimeMsDigits('the 100 after this, ms; the latest 100 by default')),
      ),
    }),
  },
  data: StrategyPage,
  assumed: [
    'strategy-signal-order',
    'The rules of the strategies are our own choice: they check each quarter of an hour, and ' +
      'give a signal when a condition becomes true.',
    'A signal is `running` for four hours, then it has `won` or `lost` according to the price. ' +
      '`history_win_rate` is the fraction of earlier signals that had won by then; ' +
      '`advise_win_rate` and `advise_loss_rate` are the average price moves for and against them.',
    '`capital_rate` is half of the Kelly fraction, from 0.01 to 0.5; 0.1 for the first signal.',
    '`signal_type` is the strategy.',
    '`latest_time` is the time of the newest signal of the page; for an empty page it is the ' +
      'given time, or the present.',
    'An unknown coin has no signals. `supportList` always has all strategies.',
  ],
  examples: [
    { name: 'the latest', query: { coin_type: 'bitcoin', signal_key: 'depth_win_one' } },
    {
      name: 'the first page',
      query: { coin_type: 'bitcoin', signal_key: 'order_buy_one', latest_time: '0' },
    },
  ],
  answer: ({ query }, facts) => facts.signal.strategyPage(strategyQueryOf(query)),
})
