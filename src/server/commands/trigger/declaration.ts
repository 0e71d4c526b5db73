/** The flags of `tapewright trigger`. */
import type { Declaration } from '../command.ts'
import { given, number, span } from '../flag.ts'
import { SERVER_FLAGS } from '../running-server.ts'

export const TRIGGER = {
  name: 'trigger',
  summary: 'move the price of a coin on a running server',
  about:
    'Moves the price of a coin by a percentage, in the market of a sandbox of a running server. ' +
    'Other coins, books, positions, funding and news follow. From then on the sandbox has its ' +
    'own market. The control plane has the other kinds of market events.',
  argument: { placeholder: 'COIN PCT', noun: 'word', min: 2, max: 2 },
  flags: {
    over: span(
      { min: '1s', max: '1h' },
      { about: 'duration of the move, market time', absent: '2m' },
    ),
    revert: number(0, 100, {
      about: 'part of the move that is taken back over the same time, in percent',
      default: 0,
    }),
    after: span(
      { min: '1s', max: '24h' },
      { about: 'delay of its start, market time', absent: 'at once' },
    ),
    ...SERVER_FLAGS,
    json: given('print the market event as one line of JSON'),
  },
  examples: [
    {
      words: 'trigger BTC -5% --url http://127.0.0.1:4010',
      does: 'let BTC fall by 5 % within two minutes',
    },
    {
      words: 'trigger ETH +3% --over 30s --after 1h --url http://127.0.0.1:4010 --json',
      does: 'let ETH rise by 3 % within 30 s, an hour later',
    },
  ],
} as const satisfies Declaration
