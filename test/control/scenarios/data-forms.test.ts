/** The effects of scenarios of forms: envelopes, names, units. */
import { expect, test } from 'bun:test'
import { controlCaller } from '../../fixtures/control-caller.ts'
import { json, marketWithScenario, receivedFrames } from './scenario-market.ts'

test('scenario legacy-gateway: errors in the older words', async () => {
  const { ask } = await marketWithScenario('legacy-gateway')
  expect(ask('/hl/tickers', 'nobody')).toMatchObject({ status: 401 })
  expect(json(ask('/hl/tickers', 'nobody'))).toEqual({ success: false, error: 'AccessKey无效' })
  expect(json(ask('/hl/tickers', 'bare')).error).toBe('没有权限访问此资源')
  expect(ask('/hl/tickers', 'bare').status).toBe(403)
  const older = ask('/coin', 'nobody')
  expect([older.status, json(older).errorCode]).toEqual([200, 1001])
  expect(ask('/hl/tickers').status).toBe(200)
})

test('scenario legacy-shapes: observed forms', async () => {
  const { ask, cast, sandbox } = await marketWithScenario('legacy-shapes')
  const address = cast().addresses.scalper
  const [fill] = json(ask(`/hl/fills/${address}?limit=1`)).data
  expect(fill).toHaveProperty('px')
  const pages = json(ask('/hl/smart/find', 'full', { period: 7 })).data
  expect(pages).toHaveProperty('list')
  expect(sandbox.answers['order-form']).toBe('nested')
  sandbox.faultInjection.remove()
  expect(sandbox.answers['order-form']).toBe('flat')
})

test('scenario other-units: times of stocks are in seconds', async () => {
  const { ask, sandbox } = await marketWithScenario('other-units')
  const { data } = json(ask('/stock/us/quotes?symbols=i:mstr:nasdaq'))
  expect(sandbox.answers['stock-times']).toBe('s')
  expect(JSON.stringify(data ?? [])).not.toMatch(/\b1[5-9]\d{11}\b/)
})

test('scenario capital-addresses: addresses have capital letters', async () => {
  const { ask } = await marketWithScenario('capital-addresses')
  const [position] = json(ask('/hl/whales/open-positions')).data
  expect(position.user).toMatch(/^0x[0-9a-fA-F]{40}$/)
  expect(position.user).not.toBe(position.user.toLowerCase())
  const state = ask(`/hl/info`, 'full', { type: 'clearinghouseState', user: position.user })
  expect(json(state).data.assetPositions.length).toBeGreaterThan(0)
})

test('scenario mixed-users: a second user does not replace the first', async () => {
  const { cast, socket } = await marketWithScenario('mixed-users')
  const [one, two] = new Set(cast().openPositions.map(({ address }) => address))
  const both = socket({ type: 'userFills', user: one }, { type: 'userFills', user: two })
  expect(receivedFrames(both, 'userFills').map(({ data }) => data.user)).toEqual([one, two])
})

test('scenario liquidation-cascade: the market falls, and positions are liquidated', async () => {
  const { sandbox, registry, socket, advance } = await marketWithScenario('liquidation-cascade')
  const trades = socket({ type: 'trades', coin: 'BTC' })
  await advance(50_000)
  trades.send('{"method":"ping"}')
  await advance(50_000)
  expect(receivedFrames(trades, 'trades').length).toBeGreaterThan(50)
  const call = controlCaller(registry)
  const { body } = await call('market.events', { params: { id: sandbox.id } })
  const [fall, closings] = body.events
  expect([fall.event.kind, closings.event.kind]).toEqual(['move', 'liquidations'])
  const [{ pxBefore, pxAfter, liquidatedUsd }] = fall.outcome
  expect(Number(pxAfter)).toBeLessThan(0.97 * Number(pxBefore))
  expect(Number(liquidatedUsd.long)).toBeGreaterThan(closings.event.usd / 2)
})

test('scenario market-halt: one coin does not change on sockets and in answers', async () => {
  const { ask, socket, advance } = await marketWithScenario('market-halt', {
    questions: { 'info-types': 'all' },
  })
  const client = socket({ type: 'trades', coin: 'BTC' }, { type: 'trades', coin: 'ETH' })
  const tradedCoins = () => receivedFrames(client, 'trades').map(({ data }) => data[0].coin)
  const info = (type: string, coin: string) => json(ask('/hl/info', 'full', { type, coin })).data
  const answered = () => ({
    book: info('l2Book', 'BTC'),
    trades: info('recentTrades', 'BTC'),
    depth: json(ask('/futures/full-depth?dbKey=btcswapusdc:hl')).data,
    price: json(ask('/hl/tickers/coin/BTC')).data,
    mid: json(ask('/hl/info', 'full', { type: 'allMids' })).data.BTC,
  })
  await advance(11_000)
  const [before, other] = [answered(), info('l2Book', 'ETH').time]
  receivedFrames(client)
  client.send('{"method":"ping"}')
  await advance(30_000)
  expect(answered()).toEqual(before)
  expect(info('l2Book', 'ETH').time).toBeGreaterThan(other + 20_000)
  await advance(28_000)
  expect([answered(), [...new Set(tradedCoins())]]).toEqual([before, ['ETH']])
  client.send('{"method":"ping"}')
  await advance(30_000)
  expect(answered().book.time).toBeGreaterThan(before.book.time + 50_000)
  expect(answered().trades[0].time).toBeGreaterThan(before.trades[0].time + 50_000)
  expect(tradedCoins()).toContain('BTC')
})
