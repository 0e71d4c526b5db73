/** Quotas and rates, exact to the request and by the session clock. */
import { expect, test } from 'bun:test'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { PREFIX, serve } from '../fixtures/test-server.ts'

const KEY = '/sandboxes/default/keys/demo-sub'
const DAY_MS = 86_400_000

test('of many requests at once exactly the remaining number is permitted', async () => {
  const { origin, control } = await serve()
  const [sent, left] = [10_000, 6_789]
  const level = `${origin}${PREFIX}/distributor/levels/basic`
  const body = {
    request_limits: { max_time_range: 60, max_request: 1, request_rate_limit: 1_000_000 },
    permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
  }
  const put = `${level}?${signedQuery({ accessKey: 'demo-partner' })}`
  await fetch(put, { method: 'PUT', body: JSON.stringify(body) })
  await control('PUT', `${KEY}/usage`, { remaining: left })

  const statuses: number[] = []
  const worker = async () => {
    for (let n = 0; n < sent / 50; n++) {
      const query = signedQuery({ accessKey: 'demo-sub' })
      const answer = await fetch(`${origin}${PREFIX}/hl/tickers?${query}`)
      await answer.arrayBuffer()
      statuses.push(answer.status)
    }
  }
  await Promise.all(Array.from({ length: 50 }, worker))
  const count = (status: number) => statuses.filter((one) => one === status).length
  expect([count(200), count(429)]).toEqual([left, sent - left])

  const quota = `${origin}${PREFIX}/distributor/quota?${signedQuery({ accessKey: 'demo-partner' })}`
  const { data } = (await (await fetch(quota)).json()) as { data: Record<string, number> }
  expect(data.used_quota).toBe(1_000_000)
  expect(data.remaining_quota).toBe(9_000_000)
})

test('a new minute refills the rate, a new month the quota', async () => {
  const registry = await fakeRegistry({ now: Date.UTC(2026, 0, 30, 12) })
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const { request } = memoryTransport(registry)
  const { tenancy, clock } = sandbox
  const ask = (ageS = 0) =>
    request('GET', `${PREFIX}/hl/tickers?${signed('demo-sub', ageS)}`).status
  const sub = tenancy.keys.get('demo-sub') as NonNullable<ReturnType<typeof tenancy.keys.get>>
  tenancy.addKey({ ...sub, limits: { ...sub.limits, ratePerMinute: 2, monthlyQuota: 3 } })

  expect([ask(), ask(), ask()]).toEqual([200, 200, 429])
  await clock.advance(59_999)
  expect(ask(-1)).toBe(429)
  await clock.advance(1)
  expect([ask(-1), ask(-1)]).toEqual([200, 429])
  await clock.advance(DAY_MS)
  expect(ask(-1)).toBe(429)
  await clock.advance(DAY_MS)
  expect([ask(-1), ask(-1)]).toEqual([200, 200])
})

test('sub keys share the quota of their distributor', async () => {
  const registry = await fakeRegistry()
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const { tenancy } = sandbox
  const partner = tenancy.distributors.get('demo-partner')
  if (partner) partner.maxTotalQuota = 3
  const twin = { ...sandbox.keys.sub, ...tenancy.newKeyPair() }
  tenancy.addKey(twin)
  const { request } = memoryTransport(registry)
  const ask = (key: string, secret = `${key}-secret`) =>
    request('GET', `${PREFIX}/hl/tickers?${signed(key, 0, secret)}`).status
  const twins = [ask('demo-sub'), ask(twin.accessKey, twin.secretKey), ask('demo-sub')]
  expect(twins).toEqual([200, 200, 200])
  expect(ask(twin.accessKey, twin.secretKey)).toBe(429)
  expect(ask('demo')).toBe(200)
})

test('with metering off nothing is refused, and everything is still counted', async () => {
  const registry = await fakeRegistry({ metering: 'off' })
  const sandbox = registry.get('default') as NonNullable<ReturnType<typeof registry.get>>
  const { tenancy, clock, keys } = sandbox
  tenancy.addKey({ ...keys.sub, limits: { ...keys.sub.limits, ratePerMinute: 1 } })
  const { request } = memoryTransport(registry)
  for (let n = 0; n < 5; n++)
    expect(request('GET', `${PREFIX}/hl/tickers?${signed('demo-sub')}`).status).toBe(200)
  expect(tenancy.usage.inMonth('demo-sub', clock.nowMs())).toBe(5)
})
