import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { WhaleDirections } from '../../records/whale.ts'
import { Coin, Type } from '../../schema.ts'

export const whaleDirections = operation({
  id: 'perpdex.whaleDirections',
  method: 'GET',
  path: '/hl/whales/directions',
  title: 'Long and short positions of whales',
  about: 'The number of positions worth more than 1,000,000 USD on each side.',
  source: 'Perpetual-DEX REST; Perpetual-DEX records',
  envelope: B(),
  access: permission('HL_WHALES_DIRECTIONS'),
  params: { query: Type.Object({ coin: Type.Optional(Coin()) }) },
  data: WhaleDirections,
  assumed: ['The numbers count positions, not accounts: the open positions of whales.'],
  examples: [{ name: 'of all coins' }, { name: 'of a coin', query: { coin: 'BTC' } }],
  answer: ({ query }, facts) => facts.whales.directions(query),
})
