/** The effects of scenarios of requests on a client. */
import { expect, test } from 'bun:test'
import { oneSlice } from '../../../src/clock/turns.ts'
import { sandboxStateOf } from '../../../src/sandbox/snapshot/state-parts.ts'
import { fixedClock } from '../../fixtures/fixed-clock.ts'
import { json, marketWithScenario, receivedFrames, statuses } from './scenario-market.ts'

const TICKERS = '/hl/tickers'

test('scenario calm: nothing changes', async () => {
  const { ask } = await marketWithScenario('calm')
  expect(json(ask(TICKERS)).code).toBe('0')
})

test('scenario rate-limited: every fourth request is refused and has to wait', async () => {
  const { ask } = await marketWithScenario('rate-limited')
  expect(statuses(8, () => ask(TICKERS))).toEqual([200, 200, 200, 429, 200, 200, 200, 429])
  statuses(3, () => ask(TICKERS))
  expect(ask(TICKERS).headers).toMatchObject({ 'retry-after': '30' })
})

test('scenario quota-exhausted: three requests are left, then none for a month', async () => {
  const { ask, sandbox, advance } = await marketWithScenario('quota-exhausted', { end: 'hold' })
  const { tenancy, keys } = sandbox
  const used = () => tenancy.usage.inMonth(keys.sub.accessKey, sandbox.clock.nowMs())
  // A key without a quota is not affected, and uses nothing of the others'.
  expect(statuses(5, () => ask(TICKERS))).toEqual([200, 200, 200, 200, 200])
  expect(statuses(5, () => ask(TICKERS, 'sub'))).toEqual([200, 200, 200, 429, 429])
  const state = await sandbox.turns.run(
    sandbox,
    oneSlice(() => sandboxStateOf(sandbox)),
  )
  sandbox.faultInjection.remove()
  expect([used(), ask(TICKERS, 'sub').status]).toEqual([3, 200])
  // The state that was saved before takes the restored requests again.
  sandbox.resume(state)
  expect(ask(TICKERS, 'sub').status).toBe(429)
  expect(sandbox.faultInjection.isActive).toBe(true)
  await advance(32 * 86_400_000)
  expect(ask(TICKERS, 'sub').status).toBe(200)
})

test('scenario month-end: one is left, and the next month renews the quota', async () => {
  const { ask, advance } = await marketWithScenario('month-end', { end: 'hold' })
  ask(TICKERS)
  expect(statuses(2, () => ask(TICKERS, 'sub'))).toEqual([200, 429])
  await advance(32 * 86_400_000)
  expect(ask(TICKERS, 'sub').status).toBe(200)
})

test('scenario permission-lost: permissions are removed, and sockets are closed', async () => {
  const { ask, open, socket, advance } = await marketWithScenario('permission-lost')
  const held = socket({ type: 'bbo', coin: 'BTC' })
  expect(ask(TICKERS).status).toBe(200)
  await advance(10_000)
  expect(held.closeCode).toBe(1000)
  expect([ask(TICKERS).status, json(ask(TICKERS)).msg]).toEqual([
    403,
    'Permission denied: HL_TICKERS',
  ])
  const address = '0x0000000000000000000000000000000000000001'
  expect(json(ask(`/hl/fills/${address}`)).msg).toBe('Permission denied: HL_FILLS')
  expect(open()).toMatchObject({ status: 403 })
  expect(ask('/coin').status).toBe(200)
})

test('scenario signature-skew: every signature is too old, on sockets too', async () => {
  const { ask, open, transport, sign } = await marketWithScenario('signature-skew')
  expect([ask(TICKERS).status, json(ask(TICKERS)).msg]).toEqual([401, 'Invalid signature'])
  const upgrade = open()
  expect(upgrade).toMatchObject({ status: 401 })
  // Signatures are checked by the machine's clock here.
  const date = new Date(fixedClock.nowMs() + 45_000).toUTCString()
  if ('frames' in upgrade) throw new Error('let in')
  expect([ask(TICKERS).headers?.date, upgrade.headers?.date]).toEqual([date, date])
  // A client that corrects its clock by that header is let in.
  const url = (where: string) => `/api/upgrade/v2${where}?${sign('full', -45)}`
  expect(transport.request('GET', url(TICKERS)).status).toBe(200)
  expect('frames' in transport.connect(url('/hl/ws'))).toBe(true)
})

test('scenario slow-server: answers wait for the session clock, some come in pieces', async () => {
  const { ask, advance } = await marketWithScenario('slow-server')
  const answers = Array.from({ length: 5 }, () => ask(TICKERS))
  let come = 0
  for (const { delivery } of answers) void delivery?.ready?.then(() => come++)
  await advance(1)
  expect(come).toBeLessThan(5)
  await advance(60_000)
  expect(come).toBe(5)
  expect(answers[4]?.delivery?.chunks).toBeFunction()
})

test('scenario html-errors: every other answer is a page', async () => {
  const { ask } = await marketWithScenario('html-errors')
  const [first, second] = [ask(TICKERS), ask(TICKERS)]
  expect([first?.status, second?.status, second?.contentType]).toEqual([200, 502, 'text/html'])
  expect(second?.body).toStartWith('<!DOCTYPE html>')
})

test('scenario maintenance: unavailable for two minutes, then back', async () => {
  const { ask, open, socket, advance } = await marketWithScenario('maintenance')
  const held = socket({ type: 'bbo', coin: 'BTC' })
  await advance(10_000)
  expect(held.closeCode).toBe(1012)
  expect(ask(TICKERS)).toMatchObject({ status: 503, headers: { 'retry-after': '120' } })
  expect(open()).toMatchObject({ status: 503 })
  await advance(120_000)
  expect(ask(TICKERS).status).toBe(200)
  expect('frames' in open()).toBe(true)
})

test('scenario code-as-number: text becomes numbers and numbers text', async () => {
  const { ask } = await marketWithScenario('code-as-number')
  const answers = Array.from({ length: 4 }, () => json(ask(TICKERS)))
  expect(answers.map(({ code }) => code)).toEqual(['0', 0, '0', 0])
  expect(answers.map(({ data }) => typeof data[0].price)).toEqual(Array(4).fill('number'))
  const { code, msg } = json(ask(TICKERS, 'nobody'))
  expect([code, msg]).toEqual(['401', 'Invalid signature'])
  expect(json(ask(TICKERS, 'nobody')).code).toBe(401)
})

test('scenario refused-with-200: errors come under 200, and 403 means slow down', async () => {
  const { ask } = await marketWithScenario('refused-with-200')
  expect(ask(TICKERS, 'nobody').status).toBe(200)
  ask(TICKERS)
  expect([ask(TICKERS).status, json(ask(TICKERS)).code]).toEqual([403, '0'])
  const denied = ask(TICKERS, 'bare')
  expect([denied.status, json(denied).code]).toEqual([200, '403'])
  ask(TICKERS)
  const level = ask('/distributor/levels/absent', 'partner')
  expect([level.status, json(level).success]).toEqual([200, false])
})

test('scenario unstable-order: the same list comes in another order', async () => {
  const { ask } = await marketWithScenario('unstable-order')
  const orders = Array.from({ length: 6 }, () => json(ask(TICKERS)).data)
  const texts = new Set(orders.map((list) => JSON.stringify(list)))
  const sorted = new Set(orders.map((list) => JSON.stringify(list.map(String).sort())))
  expect([texts.size > 1, sorted.size]).toEqual([true, 1])
})

test('scenario cut-short: lists are shorter, every third body ends in its middle', async () => {
  const { ask } = await marketWithScenario('cut-short')
  const bodies = Array.from({ length: 3 }, () => ask(TICKERS).body)
  expect(JSON.parse(bodies[0] ?? '').data.length).toBeGreaterThan(3)
  expect(JSON.parse(bodies[1] ?? '').data).toHaveLength(3)
  expect(() => JSON.parse(bodies[2] ?? '')).toThrow()
})

test('scenario null-bodies: 429 without a text', async () => {
  const { ask } = await marketWithScenario('null-bodies')
  expect([ask(TICKERS).status, ask(TICKERS)]).toMatchObject([200, { status: 429, body: 'null' }])
})

test('scenario wrong-content-type: valid JSON that is declared as text', async () => {
  const answer = (await marketWithScenario('wrong-content-type')).ask(TICKERS)
  expect([answer.contentType, json(answer).code]).toEqual(['text/plain', '0'])
})

test('scenario dropped-connections: before, in the middle of and after answers', async () => {
  const { ask } = await marketWithScenario('dropped-connections')
  const drops = Array.from({ length: 5 }, () => ask(TICKERS).delivery?.drop ?? null)
  expect(drops).toEqual([null, null, 'before', 'middle', 'after'])
})

test('scenario not-a-number: middles are null and premiums NaN', async () => {
  const { ask, cast, socket, advance } = await marketWithScenario('not-a-number', {
    profile: 'raw',
  })
  const [, contexts] = json(ask('/hl/info', 'full', { type: 'metaAndAssetCtxs' })).data ?? [[], []]
  for (const { midPx, premium, impactPxs } of contexts)
    expect([midPx, premium, impactPxs]).toEqual([null, 'NaN', null])
  const user = cast().openPositions[0]?.address
  const states = socket({ type: 'clearinghouseState', user })
  await advance(1000)
  const [state] = receivedFrames(states, 'clearinghouseState')
  for (const { position } of state?.data.clearinghouseState?.assetPositions ?? [])
    expect(position.liquidationPx).toBeNull()
})
