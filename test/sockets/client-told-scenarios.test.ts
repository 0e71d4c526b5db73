/** Scenarios in which something is not to be had: the client says so, and goes on no further. */
import { expect } from 'bun:test'
import { LocalBook } from '../../src/client/book/local-book.ts'
import { clientMarket } from '../fixtures/client-market.ts'
import { library } from '../fixtures/feed-recorder.ts'
import { played, survives, truth } from '../fixtures/survival.ts'

/** A local book under a scenario, and what has been said of it. */
async function localBook(scenario: string, coin: string) {
  const market = await clientMarket({ scenarios: [library(scenario)] })
  const said: string[] = []
  const book = new LocalBook(market.client, coin, {
    systemClock: market.machine.systemClock,
    onStatus: (status) => said.push(status),
  })
  return { ...market, book, said }
}

survives('crossed-book', async () => {
  const { book, said, advance } = await localBook('crossed-book', 'BTC')
  await advance(4_000)
  expect(book.read().bids.length).toBeGreaterThan(0)
  await advance(6_000)
  expect(() => book.read()).toThrow(/crossed: its best bid \S+ is not below its best ask/)
  await advance(10_000)
  expect(() => book.read()).toThrow('empty: there is no bid and no ask')
  await advance(10_000)
  const { bids, asks } = book.read()
  expect(Number(bids[0]?.px)).toBeLessThan(Number(asks[0]?.px))
  expect(said).toEqual(['sound', 'crossed', 'empty', 'sound'])
})

survives('listing-day', async () => {
  const { client, machine, advance } = await clientMarket({ scenarios: [library('listing-day')] })
  await advance(11_000)
  const book = new LocalBook(client, 'NOVA', { systemClock: machine.systemClock })
  await advance(2_000)
  expect(() => book.read()).toThrow('empty: there is no')
  const query = { coin: 'NOVA', interval: '7d', limit: 5 } as const
  const first = await client.perpdex.topTrades({ query }, { checked: true })
  expect(first?.length ?? 0).toBeLessThan(6)
  await advance(60_000)
  expect(book.read().bids.length).toBeGreaterThan(5)
  expect(book.status).toBe('sound')
})

survives('stale-book', async () => {
  const { book, advance } = await localBook('stale-book', 'BTC')
  await advance(4_000)
  expect(book.status).toBe('sound')
  await advance(26_000)
  expect(() => book.read()).toThrow(/(stale|old): /)
  const { books, trades, view } = await played('stale-book')
  expect(books.kinds()).toEqual(['live', 'stale', 'silent'])
  expect([trades.kinds(), view.trades]).toEqual([['live'], (await truth()).trades])
})

survives('silent-feed', async () => {
  const { trades, fills, books, states, upgrades } = await played('silent-feed')
  for (const one of [trades, fills, books, states]) expect(one.kinds()).toContain('silent')
  expect(trades.events.filter(({ type }) => type === 'gap').at(-1)).toMatchObject({ toMs: null })
  // It is connected to anew, and not again and again.
  expect(upgrades.length).toBeGreaterThan(1)
  expect(upgrades.length).toBeLessThan(5)
})

survives('refused-subscription', async () => {
  const { trades, fills, books, subscriptions } = await played('refused-subscription')
  for (const { events } of [trades, fills, books])
    expect(events[0]).toMatchObject({ type: 'refused', reason: expect.stringMatching(/\w/) })
  const why = await subscriptions.trades.ready.catch(({ message }) => message)
  expect(why).toMatch(/^trades: \w/)
})

survives('permission-lost', async () => {
  const { trades, upgrades, client, subscriptions } = await played('permission-lost')
  expect(trades.kinds()).toEqual(['live', 'lost', 'lost', 'refused'])
  expect(trades.events.at(-1)).toMatchObject({ reason: '403 Permission denied: HL_WS_NODE' })
  expect([subscriptions.fills.state, upgrades.length]).toEqual(['refused', 2])
  const refused = await client.perpdex.tickers({}, { retries: 5 }).catch((error) => error)
  expect(refused).toMatchObject({ name: 'ServiceError', kind: 'permission' })
  expect(refused.permission).toMatch(/^HL_/)
})
