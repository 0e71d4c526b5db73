import { permission } from '../../access.ts'
import { meant } from '../../meaning.ts'
import { B, operation } from '../../operation.ts'
import { PastFoundTrader, SEARCH_PAGES, TraderSearch } from '../../records/trader-search.ts'
import { isRefusal } from '../../refusal.ts'
import { TimeMs, Type } from '../../schema.ts'
import { servedPage } from '../../served-page.ts'

export const tradersDiscoverHistory = operation({
  id: 'perpdex.tradersDiscoverHistory',
  method: 'POST',
  path: '/hl/traders/discover-history',
  title: 'Search for traders as of an earlier instant',
  source: 'Action map; the body as public clients send it',
  envelope: B(),
  access: permission('HL_TRADERS_DISCOVER_HISTORY'),
  params: {
    body: Type.Object({
      time: meant('instant', Type.Optional(TimeMs('the instant, ms; now by default'))),
      startTime: meant('instant', Type.Optional(TimeMs('the same, if `time` is missing'))),
      ...TraderSearch.properties,
    }),
  },
  data: Type.Object(
    { list: Type.Array(PastFoundTrader), total: Type.Integer({ description: 'traders found' }) },
    { additionalProperties: false },
  ),
  refuses: ['invalid'],
  assumed: [
    'page-beyond-last',
    'pnl-point-names',
    'account-mode',
    'The shape is our own choice: that of the trader search, with the instant as `time`.',
    'The period ends at the instant; a future instant means now.',
  ],
  examples: [{ name: 'now', body: { pageSize: 5 } }],
  answer({ body: { time, startTime, ...query } }, facts) {
    const page = servedPage(query, SEARCH_PAGES, facts.moment.answers)
    return isRefusal(page) ? page : facts.traders.discoverAt(time ?? startTime, page)
  },
})
