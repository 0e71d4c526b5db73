import { permission } from '../../access.ts'
import { castFrom, meant } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { ObservedCompletedTrade, TradePage } from '../../records/completed-trade.ts'
import { isRefusal } from '../../refusal.ts'
import { Address, Coin, Limit, PageNumber, TimeMs, Type } from '../../schema.ts'
import { servedPage } from '../../served-page.ts'

const LAST_PAGE = 50

export const completedTradesByTime = operation({
  id: 'perpdex.completedTradesByTime',
  method: 'POST',
  path: '/hl/traders/:address/completed-trades/by-time',
  title: 'Completed trades of an account by the time of their closing',
  source: 'Perpetual-DEX REST; fields by public documentation',
  envelope: B(),
  access: permission('HL_COMPLETED_TRADES_BY_TIME'),
  params: {
    path: Type.Object({ address: castFrom('completedPositions.address', Address('whose')) }),
    body: Type.Object({
      pageNum: PageNumber(LAST_PAGE),
      pageSize: Limit({ default: 20, max: 2000 }, 'trades on a page'),
      Coin: Type.Optional(Coin('coin name, with a capital C')),
      coin: Type.Optional(Coin('see the question `completed-by-time-coin`')),
      endTimeFrom: meant('rangeStart', Type.Optional(TimeMs('closed then or later'))),
      endTimeTo: meant('rangeEnd', Type.Optional(TimeMs('closed then or earlier'))),
    }),
  },
  data: Type.Union([TradePage, Type.Array(ObservedCompletedTrade)]),
  refuses: ['invalid'],
  assumed: [
    'completed-by-time-form',
    'completed-by-time-coin',
    'page-beyond-last',
    'Newest first.',
  ],
  examples: [
    {
      name: 'first page',
      path: { address: '0x0000000000000000000000000000000000000001' },
      body: { pageNum: 1, pageSize: 5 },
    },
  ],
  answer({ path, body }, facts) {
    const { answers } = facts.moment
    const page = servedPage(body, LAST_PAGE, answers)
    if (isRefusal(page)) return page
    const counts = answers['completed-by-time-coin'] === 'counts'
    return facts.completedTrades.between(path.address, {
      coin: body.Coin ?? (counts ? body.coin : undefined),
      fromMs: body.endTimeFrom,
      toMs: body.endTimeTo,
      pageNum: page.pageNum,
      pageSize: body.pageSize,
    })
  },
})
