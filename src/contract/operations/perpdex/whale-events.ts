import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { WhaleEvent } from '../../records/whale.ts'
import { Coin, Limit, Type, withKeywords } from '../../schema.ts'

export const whaleEvents = operation({
  id: 'perpdex.whaleEvents',
  method: 'GET',
  path: '/hl/whales/latest-events',
  title: 'Positions opened and closed by whales',
  about: 'Positions worth more than 1,000,000 USD that were opened or closed, newest first.',
  source: 'Perpetual-DEX REST; Limits; Perpetual-DEX records',
  envelope: B(),
  access: permission('HL_WHALES_LATEST_EVENTS'),
  params: {
    query: Type.Object({
      limit: withKeywords(Limit({ default: 10, max: 100 }), { 'x-alias': ['take'] }),
      coin: Type.Optional(Coin()),
    }),
  },
  data: Type.Array(WhaleEvent),
  assumed: [
    'whale-event-coin',
    '`positionAction` is 1 for opened, 2 for closed.',
    'A position counts as opened when a fill first makes it worth more than 1,000,000 USD.',
    'A closed position shows its largest size, at the average closing price.',
  ],
  examples: [{ name: 'latest', query: { limit: '10' } }],
  answer: ({ query }, facts) => facts.whales.latestEvents(query),
})
