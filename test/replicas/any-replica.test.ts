/** What one replica has answered is seen by the next request of another. */
import { describe, expect, test } from 'bun:test'
import { readOpenMetrics } from '../fixtures/open-metrics.ts'
import { HAS_REDIS, redisServer } from '../fixtures/redis-server.ts'
import { type Replica, replicasOf } from '../fixtures/replicas.ts'
import { serveRegistry } from '../fixtures/test-server.ts'

const LEVEL = {
  request_limits: { max_time_range: 60, max_request: 9, request_rate_limit: 100 },
  permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
}

describe.skipIf(!HAS_REDIS)('with redis-server', async () => {
  const redis = HAS_REDIS ? await redisServer() : null
  let count = 0
  const pair = () => replicasOf(redis?.url(`t${++count}`) ?? '', 2)

  test('an invite is used once, and its key works everywhere at once', async () => {
    const [a, b] = await pair()
    const token = { invite_token: 'demo-invite' }
    const registered = await a?.ask('POST', '/distributor/register', '', token)
    expect(registered?.status).toBe(200)
    const { access_key: key, secret_key: secret } = JSON.parse(registered?.body ?? '').data
    const info = await b?.ask('GET', '/distributor/info', key, undefined, secret)
    expect(info?.status).toBe(200)
    const again = await b?.ask('POST', '/distributor/register', '', token)
    expect(again?.status).not.toBe(200)
  })

  test('a replica measures how it follows the others', async () => {
    const [a, b] = await pair()
    await a?.ask('PUT', '/distributor/levels/bare', 'demo-partner', LEVEL)
    await b?.ask('GET', '/hl/tickers', 'demo-bare')
    const figures = b?.registry.shared?.figures
    expect(figures?.roundTrips).toBeGreaterThan(2)
    expect(figures?.clockErrorMs).toBeLessThan(Number.POSITIVE_INFINITY)
    const { origin } = await serveRegistry((b as Replica).registry)
    const shown = readOpenMetrics(await (await fetch(`${origin}/_control/metrics`)).text())
    expect(shown.value('tapewright_replica_round_trips_total')).toBeGreaterThan(2)
    expect(shown.value('tapewright_replica_lag_seconds')).toBeGreaterThan(0)
    expect(shown.value('tapewright_state_behind')).toBe(0)
  })

  test('a level has its new permissions at once', async () => {
    const [a, b] = await pair()
    expect((await b?.ask('GET', '/hl/tickers', 'demo-bare'))?.status).toBe(403)
    const put = await a?.ask('PUT', '/distributor/levels/bare', 'demo-partner', LEVEL)
    expect(put?.status).toBe(200)
    expect((await b?.ask('GET', '/hl/tickers', 'demo-bare'))?.status).toBe(200)
  })
})
