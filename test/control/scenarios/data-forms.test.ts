/** What the scenarios of forms change: envelopes, names, units. */
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

test('scenario legacy-shapes: forms that were seen', async () => {
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

test('scenario mixed-users: a second user does not take the place of the first', async () => {
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

test('scenario listing-day: a coin that nobody knew, and an empty book', async () => {
  const { ask, cast, socket, advance } = await marketWithScenario('listing-day')
  const known = cast().coins
  await advance(9_999)
  expect(cast().coins).toEqual(known)
  expect(json(ask('/hl/tickers/NOVA'))).toEqual({ ...json(ask('/hl/tickers/NOBODY')) })
  await advance(1)
  expect(cast().coins).toEqual([...known, 'NOVA'])
  const [book] = receivedFrames(socket({ type: 'l2Book', coin: 'NOVA' }), 'l2Book')
  expect(book?.data.levels).toEqual([[], []])
  const sound = socket({ type: 'l2Book', coin: 'NOVA' })
  await advance(60_000)
  const { data } = receivedFrames(sound, 'l2Book').at(-1) as { data: { levels: object[][] } }
  expect(data.levels.map(({ length }) => length > 5)).toEqual([true, true])
  const body = { type: 'candleSnapshot', req: { coin: 'NOVA', interval: '1m', startTime: 0 } }
  const candles = json(ask('/hl/info', 'full', body)).data
  expect([1, 2, 3]).toContain(candles.length)
})
