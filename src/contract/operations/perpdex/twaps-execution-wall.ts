import { permission } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { TwapWall } from '../../records/fill.ts'
import { Coin, Span, Type, WithDefault } from '../../schema.ts'

export const twapsExecutionWall = operation({
  id: 'perpdex.twapsExecutionWall',
  method: 'GET',
  path: '/hl/twaps/execution-wall',
  title: 'Remaining size of running TWAPs',
  about: 'The rest of each running TWAP, spread evenly until its end, by future time intervals.',
  source: 'Action map',
  envelope: B(),
  access: permission('HL_TWAP_EXECUTION_PRESSURE'),
  params: {
    query: Type.Object({
      coin: Type.Optional(Coin()),
      interval: WithDefault(meant('interval', Span('1m', '1h', 'length of an interval')), '5m'),
    }),
  },
  data: TwapWall,
  assumed: [
    'The shape is our own choice.',
    'Values are at the mark price. Without `coin`, sizes are null, because sizes of different ' +
      'coins cannot be added.',
    'The first time interval contains the present, the last one ends the longest TWAP. Overdue ' +
      'parts are due at once.',
  ],
  examples: [
    { name: 'all coins', query: {} },
    { name: 'one coin', query: { coin: 'BTC', interval: '1m' } },
  ],
  answer: ({ query }, facts) => facts.twaps.wall(query),
})
