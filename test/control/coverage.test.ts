/** What clients have met of the contract, counted beside the journal. */
import { expect, test } from 'bun:test'
import { contractPoints } from '../../src/contract/coverage-points.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { controlCaller } from '../fixtures/control-caller.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { fixedClockS } from '../fixtures/fixed-clock.ts'
import { openSocket, PREFIX, receivedFrames, sendJson } from '../fixtures/memory-socket.ts'

const API = '/api/upgrade/v2'
const ADDRESS = `0x${'a'.repeat(40)}`

async function client(options: Parameters<typeof recordedRegistry>[0] = {}) {
  const { registry, sandbox } = await recordedRegistry(options)
  const transport = memoryTransport(registry)
  const get = (path: string, query = '', key = 'demo') =>
    transport.request('GET', `${API}${path}?${query}${query && '&'}${signed(key)}`)
  const post = (path: string, body: object, key = 'demo') =>
    transport.request('POST', `${API}${path}?${signed(key)}`, JSON.stringify(body))
  return { registry, sandbox, transport, get, post, met: metIn(sandbox) }
}

/** How often a point was met and handled. */
const metIn = (sandbox: Sandbox) => (id: string) => {
  expect(POINTS.has(id) || id.startsWith('scenario:')).toBe(true)
  const { met, handled } = sandbox.coverage.counts().points[id] ?? { met: 0, handled: 0 }
  return [met, handled]
}

const POINTS = new Set(contractPoints().map(({ id }) => id))

test('an answer meets its operation, its parameters, those left out, and a cap', async () => {
  const { get, post, met } = await client()
  get('/hl/fills/top-trades', 'interval=1d&coin=BTC&limit=100')
  get('/hl/fills/top-trades', 'interval=1d&coin=BTC')
  expect(met('operation:perpdex.topTrades')).toEqual([2, 0])
  expect(met('parameter:perpdex.topTrades:limit')).toEqual([1, 0])
  expect(met('parameter:perpdex.topTrades:limit:absent')).toEqual([1, 0])
  expect(met('cap:perpdex.topTrades:limit')).toEqual([0, 0])
  get('/hl/fills/top-trades', 'interval=1d&coin=BTC&limit=101')
  expect(met('cap:perpdex.topTrades:limit')).toEqual([1, 0])
  post('/hl/traders/statistics', { addresses: Array.from({ length: 51 }, () => ADDRESS) })
  expect(met('cap:perpdex.tradersStatistics:addresses')).toEqual([1, 0])
  post('/hl/info', { type: 'clearinghouseState', user: ADDRESS })
  expect(met('operation:perpdex.info:clearinghouseState')).toEqual([1, 0])
  get('/hl/orders/oid/1')
  expect(met('operation:perpdex.orderById:null')).toEqual([1, 0])
  get('/futures/latest-depth', 'dbKey=btcswapusdt:binance')
  expect(met('operation:futures.latestDepth:empty')).toEqual([0, 0])
  get('/futures/latest-depth', 'dbKey=nothing:binance')
  expect(met('operation:futures.latestDepth:empty')).toEqual([1, 0])
})

test('the console, the raw profile and unknown names count nothing of the contract', async () => {
  const { sandbox, transport, get } = await client()
  transport.request('GET', `/console/s/${sandbox.id}${API}/hl/tickers?${signed()}`)
  expect(sandbox.coverage.counts()).toEqual(NOTHING)
  get('/hl/tickers', 'page=1&page=2&constructor=1')
  get('/no/such/path')
  transport.request('DELETE', `${API}/hl/tickers?${signed()}`)
  const { points, leniencies, beyond } = sandbox.coverage.counts()
  expect(Object.keys(points)).toEqual(['operation:perpdex.tickers'])
  expect(leniencies).toEqual({ 'unknown-parameters': 2, 'repeated-parameters': 1 })
  expect(beyond).toEqual({ path: 1, method: 1 })
})

const NOTHING = { points: {}, questions: {}, leniencies: {}, beyond: {} }

test('a refusal is handled once its client goes on with something else', async () => {
  const { get, sandbox, met } = await client()
  const bare = 'demo-bare'
  get('/hl/tickers', '', bare)
  get('/hl/tickers', '', bare)
  get('/hl/tickers', '', bare)
  expect(met('refusal:perpdex.tickers:permission')).toEqual([3, 0])
  get('/hl/tickers')
  expect(met('refusal:perpdex.tickers:permission')).toEqual([3, 0])
  get('/hl/fills/top-trades', 'coin=BTC', bare)
  expect(met('refusal:perpdex.tickers:permission')).toEqual([3, 1])
  get('/hl/fills/top-trades', 'coin=BTC')
  expect(met('refusal:perpdex.topTrades:missing:interval')).toEqual([1, 0])
  get('/hl/fills/top-trades', 'interval=1d&coin=BTC')
  expect(met('refusal:perpdex.topTrades:missing:interval')).toEqual([1, 1])
  get('/coin/ticker', 'coin_list=')
  expect(met('refusal:coin.ticker:missing:coin_list')).toEqual([1, 0])
  sandbox.reset()
  get('/hl/tickers')
  expect(met('refusal:coin.ticker:missing:coin_list')).toEqual([0, 0])
})

test('a refusal that rests on an open question is counted with its answer', async () => {
  const { get, sandbox } = await client({ questions: { 'unknown-symbol': 'refuse' } as never })
  get('/futures/full-depth', 'dbKey=nothing')
  const { questions } = sandbox.coverage.counts()
  expect(Object.keys(questions).filter((one) => one.startsWith('unknown-'))).toHaveLength(1)
})

test('a level is made, replaced and deleted, and counting goes on without a journal', async () => {
  const { transport, sandbox, met } = await client({ journal: { on: false } })
  const put = () =>
    transport.request(
      'PUT',
      `${API}/distributor/levels/gold?${signed('demo-partner')}`,
      JSON.stringify({
        request_limits: { max_time_range: 600, max_request: 10, request_rate_limit: 60 },
        permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
      }),
    )
  expect(put().status).toBe(200)
  expect([met('transition:level:made'), met('transition:level:replaced')]).toEqual([
    [1, 0],
    [0, 0],
  ])
  put()
  expect(met('transition:level:replaced')).toEqual([1, 0])
  transport.request('DELETE', `${API}/distributor/levels/gold?${signed('demo-partner')}`)
  expect(met('transition:level:deleted')).toEqual([1, 0])
  expect(sandbox.journal.newest).toBe(0)
})

test('a socket meets channels, options, statuses, and a frame that cannot be read', async () => {
  const { transport, sandbox, met } = await client()
  const socket = transport.connect(`${PREFIX}/ws?${signed()}`) as Parameters<typeof sendJson>[0]
  const candle = { type: 'candle', coin: 'BTC', interval: '1m' }
  sendJson(socket, { method: 'subscribe', subscription: candle })
  sendJson(socket, { method: 'subscribe', subscription: candle })
  sendJson(socket, { method: 'ping' })
  sendJson(socket, { method: 'unsubscribe', subscription: candle })
  sendJson(socket, { method: 'subscribe', subscription: { type: 'allMids' } })
  sendJson(socket, { hello: 1 })
  expect(receivedFrames(socket).length).toBeGreaterThan(5)
  expect(met('transition:/hl/ws:opened')).toEqual([1, 0])
  expect(met('channel:candle')).toEqual([1, 0])
  expect(met('channel:candle:snapshot')).toEqual([1, 0])
  expect(met('parameter:candle:interval=1m')).toEqual([1, 0])
  for (const status of ['subscribed', 'alreadySubscribed', 'unsubscribed'])
    expect(met(`transition:candle:${status}`)).toEqual([1, 0])
  expect(met('transition:/hl/ws:ping')).toEqual([1, 0])
  expect(met('refusal:/hl/ws:subscription')[0]).toBe(1)
  expect(met('refusal:/hl/ws:frame')[0]).toBe(1)
  const refused = transport.connect(`${PREFIX}/ws/fills?${signed('demo-bare')}`)
  expect(refused).toMatchObject({ status: 403 })
  expect(met('refusal:/hl/ws/fills:permission')).toEqual([1, 0])
  expect(Object.keys(sandbox.coverage.counts().points).filter((id) => !POINTS.has(id))).toEqual([])
})

test('pushes, silence and staleness are counted once for each frame', async () => {
  const { socket, advance, sandbox } = await openSocket()
  const met = metIn(sandbox)
  sendJson(socket, { method: 'subscribe', subscription: { type: 'l2Book', coin: 'BTC' } })
  expect(met('channel:l2Book:snapshot')).toEqual([1, 0])
  await advance(2_000)
  expect(met('channel:l2Book:push')).toEqual([2, 0])
  await advance(48_000)
  sendJson(socket, { method: 'ping' })
  await advance(40_000)
  expect(met('channel:l2Book:stale')[0]).toBeGreaterThan(0)
})

test('a socket of the console counts nothing, and a stream that it shares once', async () => {
  const { transport, sandbox, met } = await client()
  const base = `/console/s/${sandbox.id}${PREFIX}/ws`
  const bbo = { method: 'subscribe', subscription: { type: 'bbo', coin: 'BTC' } }
  const own = transport.connect(`${base}?${signed()}`) as Parameters<typeof sendJson>[0]
  sendJson(own, bbo)
  await sandbox.clock.advance(3_000)
  expect(receivedFrames(own).length).toBeGreaterThan(2)
  expect(sandbox.coverage.counts()).toEqual(NOTHING)
  const theirs = transport.connect(`${PREFIX}/ws?${signed('demo', -3)}`)
  sendJson(theirs as typeof own, bbo)
  expect(met('channel:bbo:snapshot')).toEqual([1, 0])
  await sandbox.clock.advance(1_000)
  expect(met('channel:bbo:push')[0]).toBe(receivedFrames(theirs as typeof own).length - 2)
})

test('a true claim handles what it is about, and a wrong one does not', async () => {
  const { registry, transport, sandbox, met } = await client()
  const call = controlCaller(registry)
  const socket = transport.connect(`${PREFIX}/ws?${signed()}`) as Parameters<typeof sendJson>[0]
  sendJson(socket, { method: 'subscribe', subscription: { type: 'bbo', coin: 'BTC' } })
  const claim = (coin: string) =>
    call('claim.make', {
      params: { id: sandbox.id },
      body: { kind: 'subscribed', subscriptions: [{ channel: 'bbo', coin }] },
    })
  expect((await claim('ETH')).body.verdict).toBe('wrong')
  expect(met('transition:bbo:subscribed')).toEqual([1, 0])
  expect((await claim('BTC')).body.verdict).toBe('true')
  expect(met('transition:bbo:subscribed')).toEqual([1, 1])
  expect(met('transition:bbo:unsubscribed')).toEqual([0, 0])
})

test('an idle socket is handled when its client has its subscriptions again', async () => {
  const { transport, sandbox, met } = await client({ signatureTime: 'session' })
  const ageS = () => fixedClockS() - Math.floor(sandbox.clock.nowMs() / 1000)
  const connect = () =>
    transport.connect(`${PREFIX}/ws?${signed('demo', ageS())}`) as Parameters<typeof sendJson>[0]
  const subscribe = (socket: Parameters<typeof sendJson>[0], coin: string) =>
    sendJson(socket, { method: 'subscribe', subscription: { type: 'bbo', coin } })
  const first = connect()
  subscribe(first, 'BTC')
  subscribe(first, 'ETH')
  await sandbox.clock.advance(61_000)
  expect(met('transition:/hl/ws:idle')).toEqual([1, 0])
  const second = connect()
  subscribe(second, 'ETH')
  expect(met('transition:/hl/ws:idle')).toEqual([1, 0])
  subscribe(second, 'BTC')
  expect(met('transition:/hl/ws:idle')).toEqual([1, 1])
})

test('the call lists requirements and points, by kind, state and group, in pages', async () => {
  const { registry, sandbox, get } = await client()
  get('/hl/tickers')
  get('/hl/tickers', '', 'demo-bare')
  const call = controlCaller(registry)
  const of = (query: string) => call('coverage', { params: { id: sandbox.id }, query })
  const { body } = await of('kind=requirement&state=met&group=perpdex&limit=10000')
  const ids = body.items.map(({ id }: { id: string }) => id)
  expect(ids).toContain('operation.perpdex.tickers')
  expect(ids).toContain('error.permission')
  expect(ids).not.toContain('operation.coin.list')
  expect(body.totals.find(({ kind }: { kind: string }) => kind === 'operation')).toMatchObject({
    met: 1,
  })
  expect(body.points['operation:perpdex.tickers']).toEqual({ met: 1, handled: 0 })
  const totalOf = (answer: { body: { totals: { kind: string; total: number }[] } }) =>
    answer.body.totals.find(({ kind }) => kind === 'operation')?.total ?? 0
  const [stock, all] = [await of('group=stock'), await of('')].map(totalOf)
  expect(stock).toBeLessThan((all ?? 0) / 10)
  const page = await of('kind=scenario&limit=2')
  expect(page.body.items).toHaveLength(2)
  expect(page.headers.link).toContain('cursor=2')
  const next = await of('kind=scenario&limit=2&cursor=2')
  expect(next.body.items[0].id).not.toBe(page.body.items[0].id)
  const unknown = await of('group=perps')
  expect(unknown.status).toBe(400)
  expect(unknown.body.error).toContain('unknown group "perps"; use ')
  const wrong = await of('state=missed')
  expect([wrong.status, wrong.body.error.includes('never')]).toEqual([400, true])
})

test('a scenario is met by a rule that acts, and handled by the next other request', async () => {
  const { registry, sandbox, get, met } = await client()
  const call = controlCaller(registry)
  await call('scenario.set', { params: { id: sandbox.id }, body: { name: 'maintenance' } })
  await sandbox.clock.advance(40_000)
  for (let tries = 0; tries < 5; tries++) get('/hl/tickers')
  const [count, handled] = met('scenario:maintenance')
  expect([(count as number) > 0, handled]).toEqual([true, 0])
  await call('scenario.clear', { params: { id: sandbox.id } })
  get('/hl/tickers')
  expect(met('scenario:maintenance')[1]).toBe(1)
})

test('a scenario on sockets is handled by a true claim, or by a client that is back', async () => {
  const { registry, transport, sandbox, met } = await client({ signatureTime: 'session' })
  const call = controlCaller(registry)
  const set = (name: string) => call('scenario.set', { params: { id: sandbox.id }, body: { name } })
  const bbo = { channel: 'bbo', coin: 'BTC' }
  const connected = () => {
    const ageS = fixedClockS() - Math.floor(sandbox.clock.nowMs() / 1000)
    const socket = transport.connect(`${PREFIX}/ws?${signed('demo', ageS)}`)
    sendJson(socket as Parameters<typeof sendJson>[0], {
      method: 'subscribe',
      subscription: { type: 'bbo', coin: 'BTC' },
    })
  }
  connected()
  await set('maintenance')
  await sandbox.clock.advance(11_000)
  expect(met('scenario:maintenance')).toEqual([1, 0])
  expect(met('transition:/hl/ws:closedByServer')).toEqual([1, 0])
  await call('scenario.clear', { params: { id: sandbox.id } })
  connected()
  expect(met('scenario:maintenance')).toEqual([1, 1])
  expect(met('transition:/hl/ws:closedByServer')).toEqual([1, 1])
  await set('silent-feed')
  await sandbox.clock.advance(40_000)
  const [count = 0] = met('scenario:silent-feed')
  expect(count).toBeGreaterThan(0)
  const body = { kind: 'subscribed', subscriptions: [bbo] }
  const { verdict } = (await call('claim.make', { params: { id: sandbox.id }, body })).body
  expect(verdict).toBe('true')
  expect(met('scenario:silent-feed')).toEqual([count, 1])
})
