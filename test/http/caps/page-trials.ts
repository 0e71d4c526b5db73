/** Lists in pages: what is asked besides the page. */
import type { AskedMarket, AskedRequest } from '../../fixtures/asked-market.ts'

type PageTrial = (market: AskedMarket) => AskedRequest

const searched: PageTrial = () => ({ body: { period: 0 } })

/** Trials by operation: all that take the number of a page. */
export const PAGE_TRIALS: Readonly<Record<string, PageTrial>> = {
  'content.newsList': () => ({}),
  'content.rssNewsList': () => ({}),
  'futures.interest': () => ({}),
  'perpdex.completedTradesByTime': ({ persona }) => ({ path: { address: persona('busiest') } }),
  'perpdex.smartFind': () => ({ body: { sort: 'account-balance', period: 0 } }),
  'perpdex.tradersDiscover': searched,
  'perpdex.tradersDiscoverHistory': searched,
}
