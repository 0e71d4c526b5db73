/** Scenarios in which data is not available: the client reports it, and stops. */
import { expect } from 'bun:test'
import { LocalBook } from '../../src/clients/service/book/local-book.ts'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import { clientMarket, recorded } from '../fixtures/client-market.ts'
import { library } from '../fixtures/feed-recorder.ts'
import { played, survives, truth } from '../fixtures/survival.ts'

/** A local book under a scenario, and its statuses. */
async function localBook(scenario: string, coin: string) {
  const market = await clientMarket({ scenarios: [library(scenario)] })
  const statuses: string[] = []
  const book = new LocalBook(market.client, coin, {
    systemClock: market.machine.systemClock,
    onStatus: (status) => statuses.push(status),
  })
  return { ...market, book, statuses }
}

survives('crossed-book', () => localBook('crossed-book', 'BTC'), {
  'a best bid above': async ({ book, statuses, advance }) => {
    await advance(4_000)
    expect(book.read().bids.length).toBeGreaterThan(0)
    await advance(6_000)
    expect(() => book.read()).toThrow(/crossed: its best bid \S+ is not below its best ask/)
    await advance(10_000)
    expect(() => book.read()).toThrow('empty: there is no bid and no ask')
    await advance(10_000)
    const { bids, asks } = book.read()
    expect(Number(bids[0]?.px)).toBeLessThan(Number(asks[0]?.px))
    expect(statuses).toEqual(['sound', 'crossed', 'empty', 'sound'])
  },
})

/** A local book of a coin before it is listed, and one of it afterwards. */
async function listingPlayed() {
  const market = await clientMarket({ scenarios: [library('listing-day')] })
  const { systemClock } = market.machine
  const bookOf = () => new LocalBook(market.client, 'NOVA', { systemClock })
  const before = bookOf()
  await market.advance(5_000)
  return { ...market, before, bookOf }
}

survives('listing-day', listingPlayed, {
  'the coin does not': async ({ before, bookOf, advance }) => {
    expect(before.status).toBe('refused')
    expect(() => before.read()).toThrow('refused: Invalid subscription')
    before.close()
    await advance(17_000)
    const after = bookOf()
    await advance(2_000)
    expect(after.status).toBe('empty')
    after.close()
  },
  'then there are nulls': async ({ bookOf, advance, client: { perpdex } }) => {
    const book = bookOf()
    await advance(2_000)
    expect(() => book.read()).toThrow('empty: there is no ask')
    const query = { coin: 'NOVA', interval: '7d', limit: 5 } as const
    const first = await perpdex.topTrades({ query }, { checked: true })
    expect(first?.length ?? 0).toBeLessThan(6)
    const path = { coin: 'NOVA' }
    const history = await perpdex.openInterestHistory({ path }, { checked: true })
    expect(history.length).toBeLessThan(3)
    expect(await perpdex.ticker({ path }, { checked: true })).toBeNull()
    await advance(60_000)
    expect(book.read().asks.length).toBeGreaterThan(5)
    expect(book.status).toBe('sound')
  },
})

/** A local book, and then everything else. */
async function stalePlayed() {
  const { book, advance } = await localBook('stale-book', 'BTC')
  await advance(4_000)
  expect(book.status).toBe('sound')
  await advance(26_000)
  return { book, ...(await played('stale-book')) }
}

survives('stale-book', stalePlayed, {
  'the connection is open': async ({ trades, view, upgrades }) => {
    expect([trades.kinds(), view.trades]).toEqual([['live'], (await truth()).trades])
    expect(upgrades).toHaveLength(1)
  },
  'only time and stale': ({ book, books }) => {
    expect(() => book.read()).toThrow(/(stale|old): /)
    expect(books.kinds()).toEqual(['live', 'stale', 'silent'])
  },
})

survives('silent-feed', () => played('silent-feed'), {
  'pongs arrive but no': ({ trades, fills, books, states }) => {
    for (const one of [trades, fills, books, states]) expect(one.kinds()).toContain('silent')
    expect(trades.events.filter(({ type }) => type === 'gap').at(-1)).toMatchObject({ toMs: null })
  },
  'measure how long each': ({ books, trades, upgrades }) => {
    const silences = [books, trades].map(({ events }) =>
      events.find(({ type }) => type === 'silent'),
    )
    expect(silences).toMatchObject([{ forMs: 30_000 }, { forMs: 60_000 }])
    // It is connected to again, but not repeatedly.
    expect(upgrades.length).toBeGreaterThan(1)
    expect(upgrades.length).toBeLessThan(5)
  },
})

survives('refused-subscription', () => played('refused-subscription'), {
  'an error frame is': async ({ trades, fills, books, subscriptions }) => {
    for (const { events } of [trades, fills, books])
      expect(events[0]).toMatchObject({ type: 'refused', reason: expect.stringMatching(/\w/) })
    const why = await subscriptions.trades.ready.catch(({ message }) => message)
    expect(why).toMatch(/^trades: \w/)
  },
  'without it a refused': async () => {
    const rules = [{ do: 'lose-acknowledgements' }, { do: 'silence' }]
    const { client, advance } = await clientMarket({
      scenarios: [parseScenario({ title: 'Neither held nor refused', rules })],
    })
    const trades = recorded()
    client.subscribe('trades', { coin: 'BTC' }, trades.listener, trades)
    await advance(21_000)
    expect(trades.events).toMatchObject([{ type: 'refused', reason: expect.stringMatching(/\w/) }])
  },
})

survives('permission-lost', () => played('permission-lost'), {
  'requests suddenly get 403': ({ trades }) => {
    expect(trades.kinds()).toEqual(['live', 'lost', 'lost', 'refused'])
    expect(trades.events.at(-1)).toMatchObject({ reason: '403 Permission denied: HL_WS_NODE' })
  },
  'repeating does not help': async (scheduled) => {
    const { upgrades, client, subscriptions, requested } = scheduled
    expect([subscriptions.fills.state, upgrades.length]).toEqual(['refused', 2])
    const before = requested.length
    const refused = await client.perpdex.tickers({}, { retries: 5 }).catch((error) => error)
    expect(refused).toMatchObject({ name: 'ServiceError', kind: 'permission' })
    expect(refused.permission).toMatch(/^HL_/)
    expect(requested).toHaveLength(before + 1)
    const late = client.subscribe('bbo', { coin: 'BTC' })
    await scheduled.advance(1_000)
    expect(await late.ready.catch(({ message }) => message)).toContain('HL_WS_NODE')
  },
})
