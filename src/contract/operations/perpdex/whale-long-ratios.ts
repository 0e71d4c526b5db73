import { permission } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { WhaleRatio } from '../../records/whale.ts'
import { Limit, OneOf, Type, WithDefault } from '../../schema.ts'
import { spanMs } from '../../span.ts'

export const whaleLongRatios = operation({
  id: 'perpdex.whaleLongRatios',
  method: 'GET',
  path: '/hl/whales/history-long-ratio',
  title: 'History of the long ratio of whales',
  about: 'For positions worth more than 1,000,000 USD over all coins; a `coin` is ignored.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_WHALES_HISTORY_LONG_RATIO'),
  params: {
    query: Type.Object({
      interval: WithDefault(
        meant('interval', OneOf(['10m', '1h', '4h', '1d'], 'time between two rows')),
        '1h',
      ),
      limit: Limit({ default: 50, max: 200 }),
    }),
  },
  data: Type.Array(WhaleRatio),
  assumed: [
    'whale-ratio-order',
    'Rows are at whole intervals of UTC time, with the values of that time.',
    'Ratios are fractions, rounded to six decimals; 0 while there are no whales.',
  ],
  examples: [{ name: 'hours' }, { name: 'days', query: { interval: '1d', limit: '7' } }],
  answer: ({ query: { interval, limit } }, facts) =>
    facts.whales.longRatios({ intervalMs: spanMs(interval), limit }),
})
