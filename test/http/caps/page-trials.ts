/** Lists in pages, with the parameters besides the page. */
import type { ReplayRequest, RequestedMarket } from '../../fixtures/requested-market.ts'

type PageTrial = (market: RequestedMarket) => ReplayRequest

const searched: PageTrial = () => ({ body: { period: 0 } })

/** Trials by operation, of all with a page number. */
export const PAGE_TRIALS: Readonly<Record<string, PageTrial>> = {
  'content.newsList': () => ({}),
  'content.rssNewsList': () => ({}),
  'futures.interest': () => ({}),
  'perpdex.completedTradesByTime': ({ persona }) => ({ path: { address: persona('busiest') } }),
  'perpdex.smartFind': () => ({ body: { sort: 'account-balance', period: 0 } }),
  'perpdex.tradersDiscover': searched,
  'perpdex.tradersDiscoverHistory': searched,
}
