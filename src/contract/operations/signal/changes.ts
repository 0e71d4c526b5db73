import { mapSlices } from '../../../clock/turns.ts'
import { signedAccess } from '../../access.ts'
import { A, operation } from '../../operation.ts'
import { CurrencyParameter } from '../../records/mix.ts'
import { ChangeSignal, ChangeTypeWord } from '../../records/signal.ts'
import { Type } from '../../schema.ts'

export const signalChanges = operation({
  id: 'signal.changes',
  method: 'GET',
  path: '/signal/changeSignal',
  title: 'Sudden changes',
  about: 'Sudden changes of all coins in the last 24 hours, newest first.',
  source: 'Feature and signal data; Change signal',
  envelope: A,
  access: signedAccess,
  params: { query: Type.Object({ type: ChangeTypeWord, currency: CurrencyParameter('usd') }) },
  data: Type.Object({ list: Type.Array(ChangeSignal) }, { additionalProperties: false }),
  assumed: [
    'The 100 newest of the last 24 hours. A condition that stays true is listed once, at its ' +
      'start.',
    'Types 1 to 10, 17 and 18 are seen as five minutes close: 1, 2 beyond all of four hours on ' +
      'twice the usual turnover; 3, 4 at least 1.5 % from the beginning of the day; 5, 6 a turn ' +
      'after an unusual move; 7, 8 beyond all of 24 hours; 9, 10 four times the usual move; 17, ' +
      '18 net taker volume of twice the usual turnover.',
    'Types 11 and 12 are orders that took at least 100,000 USD at once, types 23 and 24 are ' +
      'liquidations of at least 10,000 USD.',
    '`key` is the pair of the own venue; `price`, `trade`, `degree_24h` are as they were then; ' +
      '`created_at` is in seconds; `currency_str` is the requested currency.',
  ],
  examples: [
    { name: 'new lows', query: { type: '8' } },
    { name: 'large orders, in yuan', query: { type: '11', currency: 'cny' } },
  ],
  answer: ({ query }, facts) => mapSlices(facts.signal.changes(query), (list) => ({ list })),
})
