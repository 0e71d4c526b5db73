import { permission } from '../../access.ts'
import { DaysBack } from '../../look-back.ts'
import { B, operation } from '../../operation.ts'
import { SEARCH_PAGES, TraderStatistics } from '../../records/trader-search.ts'
import { isRefusal } from '../../refusal.ts'
import { Limit, OneOf, PageNumber, Type, WithDefault } from '../../schema.ts'
import { servedPage } from '../../served-page.ts'

const Page = Type.Object(
  {
    list: Type.Array(TraderStatistics),
    total: Type.Integer({ description: 'accounts found' }),
    pageNum: Type.Integer(),
    pageSize: Type.Integer(),
  },
  { title: 'TraderPage', additionalProperties: false },
)

export const smartFind = operation({
  id: 'perpdex.smartFind',
  method: 'POST',
  path: '/hl/smart/find',
  title: 'Smart money',
  about: 'Accounts with more than 100,000 USD on the main dex, sorted, the largest first.',
  source: 'Action map; parameters by public documentation; Statistics',
  envelope: B(),
  access: permission('HL_SMART_FIND'),
  params: {
    body: Type.Object({
      pageNum: PageNumber(SEARCH_PAGES),
      pageSize: Limit({ default: 20, max: 25 }, 'accounts per page'),
      period: WithDefault(DaysBack(), 7),
      sort: WithDefault(
        OneOf(
          [
            ...(['win-rate', 'account-balance', 'ROI', 'pnl', 'position-count'] as const),
            ...(['profit-count', 'last-operation', 'avg-holding-period'] as const),
            'current-position',
          ],
          'sort key',
        ),
        'pnl',
      ),
      pnlList: WithDefault(Type.Boolean({ description: 'with the PnL curves' }), false),
    }),
  },
  data: Type.Union([Type.Array(TraderStatistics), Page]),
  refuses: ['invalid'],
  assumed: [
    'page-beyond-last',
    'smart-find-form',
    'pnl-point-names',
    'account-mode',
    'Sorted by `pnl` in 7 days by default.',
    '`pnl` is realizedPnl, `ROI` is realizedPnl over totalValue, `account-balance` is totalValue.',
  ],
  examples: [
    { name: 'best of a week', body: { sort: 'pnl', period: 7, pageSize: 5 } },
    { name: 'largest, with curves', body: { sort: 'account-balance', pageSize: 3, pnlList: true } },
  ],
  answer({ body }, facts) {
    const page = servedPage(body, SEARCH_PAGES, facts.moment.answers)
    return isRefusal(page) ? page : facts.traders.smartMoney(page)
  },
})
