/** The listing of a coin: unknown before, and without a history after, in every answer and push. */
import { expect, test } from 'bun:test'
import { filledExample, type TargetInventory } from '../../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../../src/contract/catalogue.ts'
import { json, marketWithScenario, receivedFrames } from './scenario-market.ts'

type Market = Awaited<ReturnType<typeof marketWithScenario>>

const COIN = 'NOVA'
const NAMES = /"(nova|nova(swap|usd)[^"]*)"/i

/** The answers to all examples of reading operations, as text. */
function answersOf({ ask, cast }: Market): string[] {
  return OPERATIONS.flatMap((operation) => {
    const { method, access, changes, examples } = operation
    if (changes || access.kind === 'distributor') return []
    return examples.map((example) => {
      const requested = filledExample(operation, example, cast() as unknown as TargetInventory)
      const place = operation.path.replace(/:(\w+)/g, (_, name) => requested.path?.[name] ?? '')
      const body = method === 'POST' ? ((requested.body as object) ?? {}) : undefined
      return ask(`${place}?${new URLSearchParams({ ...requested.query })}`, 'full', body).body
    })
  })
}

/** All requests about one coin. */
function requestedOf({ ask }: Market, coin: string): string[] {
  const pair = `${coin.toLowerCase()}swapusdc:hl`
  const info = (type: string, req: object) => ask('/hl/info', 'full', { type, ...req })
  const answers = [
    info('l2Book', { coin }),
    info('candleSnapshot', { req: { coin, interval: '1m', startTime: 0 } }),
    ask(`/hl/tickers/coin/${coin}`),
    ask(`/hl/whales/open-positions?coin=${coin}`),
    ask(`/hl/orders/top-open-orders?coin=${coin}`),
    ask(`/hl/orders/active-stats?coin=${coin}`),
    ask(`/hl/open-interest/history/${coin}`),
    ask(`/futures/full-depth?dbKey=${pair}`),
    ask(`/futures/latest-depth?dbKey=${pair}&size=5`),
    ask(`/commonKline/dataRecords?symbol=${pair}&open_time=0&period=900`),
    ask(`/coin/ticker?coin_list=${coin.toLowerCase()}`),
  ]
  return answers.map(({ status, body }) => `${status} ${body}`.replaceAll(pair, 'PAIR'))
}

test('scenario listing-day: unknown, then without a history and with half a book', async () => {
  const market = await marketWithScenario('listing-day')
  const { ask, socket, advance } = market
  await advance(19_000)
  expect(answersOf(market).filter((text) => NAMES.test(text))).toEqual([])
  expect(requestedOf(market, COIN)).toEqual(requestedOf(market, 'UNKNOWN'))
  const [refused] = receivedFrames(socket({ type: 'l2Book', coin: COIN }))
  expect([refused?.channel, JSON.stringify(refused?.data)]).toEqual([
    'error',
    expect.stringContaining('Invalid subscription'),
  ])
  await advance(4_000)
  const book = json(ask('/hl/info', 'full', { type: 'l2Book', coin: COIN })).data
  const pair = 'novaswapusdc:hl'
  const depth = json(ask(`/futures/latest-depth?dbKey=${pair}&size=5`)).data
  const full = json(ask(`/futures/full-depth?dbKey=${pair}`)).data
  for (const [bids, asks] of [book.levels, [depth.bids, depth.asks], [full.bids, full.asks]])
    expect([bids.length > 0, asks]).toEqual([true, []])
  expect(book).toMatchObject({ coin: COIN, time: expect.any(Number) })
  expect(json(ask(`/hl/tickers/coin/${COIN}`)).data).toBeNull()
  const histories = [
    ask('/hl/info', 'full', {
      type: 'candleSnapshot',
      req: { coin: COIN, interval: '1m', startTime: 0 },
    }),
    ask(`/hl/open-interest/history/${COIN}`),
    ask(`/hl/whales/open-positions?coin=${COIN}`),
  ]
  for (const one of histories) expect(json(one).data.length).toBeLessThan(3)
  const pushed = receivedFrames(socket({ type: 'l2Book', coin: COIN }, { type: 'bbo', coin: COIN }))
  const [l2, best] = pushed.filter(({ channel }) => channel === 'l2Book' || channel === 'bbo')
  expect([l2?.data.levels[0].length > 0, l2?.data.levels[1]]).toEqual([true, []])
  expect([best?.data.bbo[0] === null, best?.data.bbo[1]]).toEqual([false, null])
  await advance(40_000)
  const whole = json(ask('/hl/info', 'full', { type: 'l2Book', coin: COIN })).data
  expect(whole.levels.map(({ length }: object[]) => length > 5)).toEqual([true, true])
  expect(json(ask(`/hl/tickers/coin/${COIN}`)).data).not.toBeNull()
})
