/** A coin that there is not, and then is, without a history: in every answer and push. */
import { expect, test } from 'bun:test'
import { filledExample, type TargetInventory } from '../../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../../src/contract/index.ts'
import { json, marketWithScenario, receivedFrames } from './scenario-market.ts'

type Market = Awaited<ReturnType<typeof marketWithScenario>>

/** A market in which the coin is not listed yet, and how requests name it. */
async function listingMarket() {
  const market = await marketWithScenario('listing-day', { questions: { 'info-types': 'all' } })
  const [first] = market.sandbox.faultInjection.activeScenarios
  const [coin = '', key = ''] = [first?.scenario.rules[0]?.on?.coin ?? []].flat()
  expect(market.sandbox.world.coins).toContain(coin)
  return { ...market, coin, key, pair: `${coin.toLowerCase()}swapusdc:hl` }
}

/** What is answered to all examples of operations that change nothing, as text. */
function answersOf({ ask, cast }: Market): string[] {
  return OPERATIONS.flatMap((operation) => {
    const { method, access, changes, examples } = operation
    if (changes || access.kind === 'distributor') return []
    return examples.map((example) => {
      const asked = filledExample(operation, example, cast() as unknown as TargetInventory)
      const place = operation.path.replace(/:(\w+)/g, (_, name) => asked.path?.[name] ?? '')
      const body = method === 'POST' ? ((asked.body as object) ?? {}) : undefined
      return ask(`${place}?${new URLSearchParams({ ...asked.query })}`, 'full', body).body
    })
  })
}

const INFO = (type: string) => ({ type })
const books = ({ ask, coin, pair }: Awaited<ReturnType<typeof listingMarket>>) => ({
  l2: json(ask('/hl/info', 'full', { type: 'l2Book', coin })).data,
  depth: json(ask(`/futures/latest-depth?dbKey=${pair}&size=5`)).data,
  full: json(ask(`/futures/full-depth?dbKey=${pair}`)),
})

test('a coin that is not listed is in no answer', async () => {
  const market = await listingMarket()
  const { ask, coin, key, cast } = market
  const names = new RegExp(`"(${coin}|${key}|${coin}(swap|usd)[^"]*)"`, 'i')
  const user = cast().openPositions.find((one) => one.coin === coin)?.address
  expect(user).toBeDefined()
  const infos = ['meta', 'allMids', 'metaAndAssetCtxs', 'webData2'].map(INFO)
  const accounts = ['clearinghouseState', 'openOrders', 'userFills', 'webData2'].map(INFO)
  const told = [...infos, ...accounts].map(
    (body) => ask('/hl/info', 'full', { ...body, user }).body,
  )
  expect([...told, ...answersOf(market)].filter((text) => names.test(text))).toEqual([])
  const [{ universe }, contexts] = json(ask('/hl/info', 'full', INFO('metaAndAssetCtxs'))).data
  expect([universe.length > 3, contexts.length]).toEqual([true, universe.length])
  market.sandbox.faultInjection.remove()
  expect(names.test(ask('/hl/tickers').body)).toBe(true)
})

test('it is answered as an unknown one, whatever it is called', async () => {
  const market = await listingMarket()
  const { ask, coin, key, pair, socket } = market
  const info = (type: string, req: object) => ask('/hl/info', 'full', { type, ...req })
  const range = { interval: '1m', startTime: 0 }
  const asked = (one: string, its: { key: string; pair: string }) => [
    info('l2Book', { coin: one }),
    info('candleSnapshot', { req: { coin: one, ...range } }),
    ask(`/hl/tickers/coin/${one}`),
    ask(`/hl/whales/open-positions?coin=${one}`),
    ask(`/hl/orders/top-open-orders?coin=${one}`),
    ask(`/hl/orders/active-stats?coin=${one}`),
    ask(`/futures/full-depth?dbKey=${its.pair}`),
    ask(`/commonKline/dataRecords?symbol=${its.pair}&open_time=0&period=900`),
    ask(`/coin/ticker?coin_list=${its.key}`),
  ]
  const texts = (...given: Parameters<typeof asked>) =>
    asked(...given).map(({ status, body }) => `${status} ${body}`.replaceAll(given[1].pair, 'PAIR'))
  const unknown = { key: 'nobody', pair: 'nobodyswapusdc:hl' }
  expect(texts(coin, { key, pair })).toEqual(texts('NOBODY', unknown))
  const frames = receivedFrames(socket({ type: 'l2Book', coin }, { type: 'l2Book', coin: 'BTC' }))
  expect(frames.map(({ channel }) => channel)).toEqual(['error', 'subscriptionResponse', 'l2Book'])
  expect(JSON.stringify(frames[0]?.data)).toContain(`Invalid subscription`)
})

test('scenario listing-day: unknown, then without a history and with half a book', async () => {
  const market = await listingMarket()
  const { ask, socket, advance, coin, pair } = market
  expect(books(market)).toMatchObject({ l2: null, depth: { bids: [], asks: [] } })
  expect(books(market).full.msg).toBe(`Unsupported symbol: ${pair}`)
  await advance(20_000)
  const { l2, depth, full } = books(market)
  for (const [bids, asks] of [
    l2.levels,
    [depth.bids, depth.asks],
    [full.data.bids, full.data.asks],
  ])
    expect([bids.length > 0, asks]).toEqual([true, []])
  expect(l2).toMatchObject({ coin, time: expect.any(Number) })
  const req = { coin, interval: '1m', startTime: 0 }
  const histories = [
    ask('/hl/info', 'full', { type: 'candleSnapshot', req }),
    ask(`/hl/klines-with-taker-vol/${coin}/1m`),
    ask(`/hl/open-interest/history/${coin}`),
    ask(`/hl/whales/open-positions?coin=${coin}`),
    ask(`/hl/orders/top-open-orders?coin=${coin}`),
  ]
  expect(histories.map((one) => json(one).data)).toEqual([[], [], [], [], []])
  expect(json(ask(`/hl/tickers/coin/${coin}`)).data).toBeNull()
  expect(json(ask('/hl/open-interest/history/BTC')).data.length).toBeGreaterThan(0)
  const pushed = receivedFrames(socket({ type: 'l2Book', coin }, { type: 'bbo', coin }))
  const [book, best] = pushed.filter(({ channel }) => channel === 'l2Book' || channel === 'bbo')
  expect([book?.data.levels[0].length > 0, book?.data.levels[1]]).toEqual([true, []])
  expect([best?.data.bbo[0] === null, best?.data.bbo[1]]).toEqual([false, null])
})
