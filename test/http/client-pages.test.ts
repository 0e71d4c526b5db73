/** Paged lists as one. */
import { expect, test } from 'bun:test'
import {
  completedTrades,
  discoveredTraders,
  newsItems,
  strategySignals,
} from '../../src/clients/service/requests/pages.ts'
import { clientMarket } from '../fixtures/client-market.ts'

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const elements: T[] = []
  for await (const one of list) elements.push(one)
  return elements
}

test('every element is returned once', async () => {
  const { client, cast, requested } = await clientMarket()
  const { perpdex, content, signal } = client
  const news = await all(newsItems(content))
  expect(new Set(news.map(({ id }) => id)).size).toBe(news.length)
  expect(news.length).toBeGreaterThan(40)

  const { maker = '' } = cast().addresses
  const whole = await perpdex.completedTrades({ path: { address: maker }, query: { limit: 300 } })
  const size = Math.max(1, Math.ceil(whole.length / 3))
  requested.length = 0
  const paged = await all(completedTrades(perpdex, maker, { pageSize: size }))
  expect(paged.length).toBeGreaterThanOrEqual(whole.length)
  expect(requested.length).toBeGreaterThan(2)

  const found = await all(discoveredTraders(perpdex, { pageSize: 20, period: 7 }))
  const { total } = (await perpdex.tradersDiscover({
    body: { pageNum: 1, pageSize: 1, period: 7 },
  })) as { total: number }
  expect(found).toHaveLength(Math.min(total, found.length))
  expect(new Set(found.map(({ address }) => address)).size).toBe(found.length)
  expect(found.length).toBeGreaterThan(20)

  const query = { coin_type: 'bitcoin', signal_key: 'order_buy_one', latest_time: '0' } as const
  const rows = await all(strategySignals(signal, query))
  expect(new Set(rows.map(([id]) => id)).size).toBe(rows.length)
  expect(rows.length).toBeGreaterThan(0)
})
