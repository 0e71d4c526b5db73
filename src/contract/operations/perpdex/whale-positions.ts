import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { WhalePosition } from '../../records/whale.ts'
import { Coin, Limit, OneOf, Type, WithDefault, withKeywords } from '../../schema.ts'

const profitOrLoss = (description: string, older: string) =>
  Type.Optional(withKeywords(OneOf(['profit', 'loss'], description), { 'x-alias': [older] }))

export const whalePositions = operation({
  id: 'perpdex.whalePositions',
  method: 'GET',
  path: '/hl/whales/open-positions',
  title: 'Open positions of whales',
  about: 'Positions worth more than 1,000,000 USD at the mark price.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_WHALES_OPEN_POSITIONS'),
  params: {
    query: Type.Object({
      coin: Type.Optional(Coin()),
      dir: Type.Optional(OneOf(['long', 'short'], 'direction')),
      npnlSide: profitOrLoss('by unrealised PnL', 'npnl-side'),
      frSide: profitOrLoss('by funding: profit when it was received', 'fr-side'),
      topBy: WithDefault(
        withKeywords(
          OneOf(
            ['position-value', 'margin-balance', 'create-time', 'profit', 'loss'],
            'sort order: the largest, the newest, the largest profit or loss first',
          ),
          { 'x-alias': ['top-by'] },
        ),
        'create-time',
      ),
      take: withKeywords(Limit({ default: 10, max: 200 }), { 'x-alias': ['limit'] }),
    }),
  },
  data: Type.Array(WhalePosition),
  assumed: [
    'whale-funding-sign',
    '`createTime` is the time when the position was opened, not when it became that large.',
    '`marginBalance` is the margin used by the position, as in the account state.',
    '`liqPrice` is null if no price liquidates the position.',
  ],
  examples: [
    { name: 'newest' },
    { name: 'largest longs', query: { dir: 'long', topBy: 'position-value', take: '5' } },
  ],
  answer: ({ query }, facts) => facts.whales.openPositions(query),
})
