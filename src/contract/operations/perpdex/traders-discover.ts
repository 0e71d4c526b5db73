import { permission } from '../../access.ts'
import { B, operation } from '../../operation.ts'
import { FoundTrader, SEARCH_PAGES, TraderSearch } from '../../records/trader-search.ts'
import { isRefusal } from '../../refusal.ts'
import { Type } from '../../schema.ts'
import { servedPage } from '../../served-page.ts'

export const tradersDiscover = operation({
  id: 'perpdex.tradersDiscover',
  method: 'POST',
  path: '/hl/traders/discover',
  title: 'Search for traders',
  about: 'Finds traders by their figures, coins and tags, and returns the selected columns.',
  source: 'Action map; parameters and fields by public documentation',
  envelope: B(),
  access: permission('HL_TRADERS_DISCOVER'),
  params: { body: TraderSearch },
  data: Type.Object(
    { list: Type.Array(FoundTrader), total: Type.Integer({ description: 'traders found' }) },
    { additionalProperties: false },
  ),
  refuses: ['invalid'],
  assumed: [
    'page-beyond-last',
    'pnl-point-names',
    'account-mode',
    'Sorted by `totalPnl`, largest first, by default.',
    'A coin was held if a perpetual position in it was open at any time in the period.',
    'With `countOnly` the list is empty.',
    '`exist` is true for values that are not null and not empty.',
    "The tags are our own choice, from the trader's figures of 30 days.",
    '`sharpe` is the mean of the returns of whole days (UTC) in the period over their standard ' +
      'deviation, times the root of 365; risk-free rate 0. null with fewer than ' +
      '15 such days (five where the period is of 15 days or less).',
  ],
  examples: [
    { name: 'best of a week', body: { pageSize: 5 } },
    {
      name: 'many wins with little leverage',
      body: {
        period: 30,
        filters: [
          { field: 'winRate', op: '>', val: 0.5 },
          { field: 'avgLeverage', op: '<=', val: 10 },
        ],
        sort: { field: 'winRate', dir: 'desc' },
        loadTags: true,
      },
    },
  ],
  answer({ body }, facts) {
    const page = servedPage(body, SEARCH_PAGES, facts.moment.answers)
    return isRefusal(page) ? page : facts.traders.discover(page)
  },
})
