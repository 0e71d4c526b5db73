/** Scenarios in which something is not to be had: the client says so, and goes on no further. */
import { expect } from 'bun:test'
import { LocalBook } from '../../src/client/book/local-book.ts'
import { parseScenario } from '../../src/scenario/scenario-parser.ts'
import { clientMarket, recorded } from '../fixtures/client-market.ts'
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

survives('crossed-book', () => localBook('crossed-book', 'BTC'), {
  'a best bid above': async ({ book, said, advance }) => {
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
  },
})

/** Local books of all coins while one of them is not listed, and again when it is. */
async function listingPlayed() {
  const market = await clientMarket({ scenarios: [library('listing-day')] })
  const { systemClock } = market.machine
  const all = () =>
    market.cast().coins.map((coin) => new LocalBook(market.client, coin, { systemClock }))
  const before = all()
  await market.advance(5_000)
  const refused = before.filter(({ status }) => status === 'refused')
  const why = refused.map((book) => String(failureOf(() => book.read())))
  for (const book of before) book.close()
  await market.advance(20_000)
  const after = all()
  await market.advance(5_000)
  return { ...market, refused, why, count: before.length, after }
}

function failureOf(read: () => unknown): unknown {
  try {
    return read()
  } catch (error) {
    return error
  }
}

survives('listing-day', listingPlayed, {
  'there is no such': ({ why, count, after }) => {
    expect([count > 1, why]).toEqual([true, [expect.stringContaining('refused: Invalid')]])
    expect(after.map(({ status }) => status)).not.toContain('refused')
  },
  'then nulls where there': async ({ after, refused: [listed], client: { perpdex } }) => {
    const coin = listed?.coin ?? ''
    const empty = after.filter(({ status }) => status === 'empty')
    expect(empty.map((book) => book.coin)).toEqual([coin])
    expect(() => empty[0]?.read()).toThrow('empty: there is no ask')
    const query = { coin, interval: '7d', limit: 5 } as const
    expect(await perpdex.topTrades({ query }, { checked: true })).toEqual([])
    const path = { coin }
    expect(await perpdex.openInterestHistory({ path }, { checked: true })).toEqual([])
    expect(await perpdex.ticker({ path })).toBeNull()
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
  'pongs come data does': ({ trades, fills, books, states }) => {
    for (const one of [trades, fills, books, states]) expect(one.kinds()).toContain('silent')
    expect(trades.events.filter(({ type }) => type === 'gap').at(-1)).toMatchObject({ toMs: null })
  },
  'count how long each': ({ books, trades, upgrades }) => {
    const silences = [books, trades].map(({ events }) =>
      events.find(({ type }) => type === 'silent'),
    )
    expect(silences).toMatchObject([{ forMs: 30_000 }, { forMs: 60_000 }])
    // It is connected to anew, and not again and again.
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
  'a 403 where there': ({ trades }) => {
    expect(trades.kinds()).toEqual(['live', 'lost', 'lost', 'refused'])
    expect(trades.events.at(-1)).toMatchObject({ reason: '403 Permission denied: HL_WS_NODE' })
  },
  'asking again does not': async (told) => {
    const { upgrades, client, subscriptions, requested } = told
    expect([subscriptions.fills.state, upgrades.length]).toEqual(['refused', 2])
    const before = requested.length
    const refused = await client.perpdex.tickers({}, { retries: 5 }).catch((error) => error)
    expect(refused).toMatchObject({ name: 'ServiceError', kind: 'permission' })
    expect(refused.permission).toMatch(/^HL_/)
    expect(requested).toHaveLength(before + 1)
    const late = client.subscribe('bbo', { coin: 'BTC' })
    await told.advance(1_000)
    expect(await late.ready.catch(({ message }) => message)).toContain('HL_WS_NODE')
  },
})
