/** Paged lists as one: each element once, until the end. */
import type { ContentCalls } from '../contract/content.ts'
import type { PerpdexCalls } from '../contract/perpdex.ts'
import type {
  CompletedTrade,
  FoundTrader,
  NewsItem,
  ObservedCompletedTrade,
  RssItem,
  StrategyRow,
} from '../contract/records.ts'
import type { SignalCalls } from '../contract/signal.ts'

/** Maximum size of a page of news. */
const NEWS_MAX = 20

/** All news, newest first. */
export const newsItems = (
  { newsList }: Pick<ContentCalls, 'newsList'>,
  query: NonNullable<NonNullable<Parameters<ContentCalls['newsList']>[0]>['query']> = {},
): AsyncGenerator<NewsItem> =>
  numbered(
    NEWS_MAX,
    ({ id }) => id,
    (page, pageSize) => newsList({ query: { ...query, page, pageSize } }),
  )

/** All news of other publishers, newest first. */
export const rssItems = ({
  rssNewsList,
}: Pick<ContentCalls, 'rssNewsList'>): AsyncGenerator<RssItem> =>
  numbered(
    NEWS_MAX,
    ({ title, pubDate }) => `${pubDate}/${title}`,
    (page, pageSize) => rssNewsList({ query: { page, pageSize } }),
  )

type ByTimeBody = NonNullable<
  NonNullable<Parameters<PerpdexCalls['completedTradesByTime']>[0]>['body']
>

/** The completed trades of an account, by time of their end. */
export const completedTrades = (
  { completedTradesByTime }: Pick<PerpdexCalls, 'completedTradesByTime'>,
  address: string,
  body: Omit<ByTimeBody, 'pageNum' | 'pageSize'> & { pageSize?: number | undefined } = {},
): AsyncGenerator<CompletedTrade | ObservedCompletedTrade> =>
  numbered(body.pageSize ?? 2000, JSON.stringify, async (pageNum, pageSize) =>
    listOf<CompletedTrade | ObservedCompletedTrade>(
      await completedTradesByTime({ path: { address }, body: { ...body, pageNum, pageSize } }),
    ),
  )

type DiscoverBody = NonNullable<NonNullable<Parameters<PerpdexCalls['tradersDiscover']>[0]>['body']>

/** Accounts found by their properties. */
export const discoveredTraders = (
  { tradersDiscover }: Pick<PerpdexCalls, 'tradersDiscover'>,
  body: Omit<DiscoverBody, 'pageNum' | 'pageSize'> & { pageSize?: number | undefined },
): AsyncGenerator<FoundTrader> =>
  numbered(
    body.pageSize ?? 100,
    ({ address }) => address,
    async (pageNum, pageSize) =>
      listOf(await tradersDiscover({ body: { ...body, pageNum, pageSize } as DiscoverBody })),
  )

/** Signals of a strategy from a time on: each page has the start of the next one. */
export async function* strategySignals(
  { strategies }: Pick<SignalCalls, 'strategies'>,
  query: Parameters<SignalCalls['strategies']>[0]['query'],
): AsyncGenerator<StrategyRow> {
  const seen = new Set<string>()
  let { latest_time } = query
  for (;;) {
    const page = await strategies({ query: { ...query, latest_time } })
    const fresh = page.list.filter(([id]) => !seen.has(id))
    for (const row of fresh) seen.add(row[0])
    yield* fresh
    if (fresh.length === 0 || page.latest_time === latest_time) return
    latest_time = page.latest_time
  }
}

/** A page, or the bare list that some services answer instead. */
const listOf = <T>(answer: readonly T[] | { list: readonly T[] }): readonly T[] =>
  'list' in answer ? answer.list : answer

/**
 * Ends with a page without new elements: a short one need not be the last, as services cut sizes
 * silently. An element that moves to the next page meanwhile is emitted once.
 */
async function* numbered<T>(
  size: number,
  keyOf: (element: T) => unknown,
  ask: (page: number, size: number) => Promise<readonly T[]>,
): AsyncGenerator<T> {
  const seen = new Set<unknown>()
  for (let page = 1; ; page++) {
    const elements = await ask(page, size)
    const fresh = elements.filter((one) => !seen.has(keyOf(one)))
    for (const one of fresh) seen.add(keyOf(one))
    yield* fresh
    if (fresh.length === 0) return
  }
}
