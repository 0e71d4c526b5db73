import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { AlertResult } from '../../records/signal.ts'
import { addAlert, addingFlaw } from '../../responses/signal-alert.ts'
import { SymbolName, Type } from '../../schema.ts'

export const signalAddAlert = operation({
  id: 'signal.addAlert',
  method: 'GET',
  path: '/signal/addSignalAlert',
  title: 'Set an alert',
  about:
    'signalAlertConf lists the choices: `macd:15:golden` waits for a golden cross of MACD on ' +
    'quarters of an hour, `rsi:60:oversold:14,25` has numbers of its own, and ' +
    '`price:1:above:100000` waits for a price.',
  source: 'Feature and signal data; States and transitions',
  envelope: A,
  access: signedAccess,
  params: {
    query: Type.Object({
      subType: Type.String({
        description: '`indicatorKey:period:triggerKey:params`; params, comma-separated, optional',
      }),
      symbol: SymbolName(),
      remark: Type.Optional(Type.String({ description: 'a note; no answer shows it' })),
    }),
  },
  data: AlertResult,
  changes: true,
  refuses: ['alert'],
  assumed: [
    'alert-failure',
    'It fails for an unknown indicator, period, trigger, number or pair, for a pair without a ' +
      'price, and if the key has 100 alerts.',
    '`params` are the numbers of the indicator; omitted ones have their usual values: both ' +
      'lengths of ma and ema; three of macd; one of kdj; length and lower limit of ' +
      'rsi; length and ' +
      'width of boll; the multiple of the usual turnover of vol; the price, by default ' +
      'the present ' +
      'one.',
    'The same alert can be set twice.',
    'The log, the journal and explain give the reason of a failure.',
  ],
  examples: [
    {
      name: 'a golden cross',
      query: { subType: 'macd:1:golden', symbol: 'btcswapusdt:binance' },
    },
    {
      name: 'a price',
      query: {
        subType: 'price:1:below:95000',
        symbol: 'btcswapusdc:hl',
        remark: 'below the round number',
      },
    },
  ],
  flaw: ({ query }, facts, { alerts }) => addingFlaw(query, facts, alerts),
  answer: ({ query }, facts, { alerts }) => addAlert(query, facts, alerts),
})
