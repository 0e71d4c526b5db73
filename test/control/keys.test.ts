/** Keys and invite tokens by the control plane, and their permissions. */
import { expect, test } from 'bun:test'
import { signedQuery } from '../fixtures/signed-query.ts'
import { connectSocket, PREFIX, serve } from '../fixtures/test-server.ts'

const KEYS = '/sandboxes/default/keys'

async function testServer() {
  const { origin, control, registry } = await serve()
  const get = async (path: string, key: { accessKey: string; secretKey: string }) => {
    const answer = await fetch(`${origin}${PREFIX}${path}?${signedQuery(key)}`)
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const make = async (body: object) => {
    const made = await control('POST', KEYS, body)
    return { ...made, key: made.body as unknown as { accessKey: string; secretKey: string } }
  }
  return { origin, control, registry, get, make }
}

test('a sub key has the rights of its level and the quota that the level presets', async () => {
  const { get, make, control } = await testServer()
  const { status, body, key } = await make({ kind: 'sub', level: 'basic', name: 'ann' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    kind: 'sub',
    name: 'ann',
    level: 'basic',
    distributor: 'demo-partner',
    limits: { ratePerMinute: 6_000, monthlyQuota: 1_000_000 },
    usage: { minute: 0, month: 0 },
  })
  expect((await get('/hl/tickers', key)).status).toBe(200)
  expect((await get('/hl/fills/oid/1', key)).body.msg).toBe('Permission denied: HL_FILLS')
  const listed = JSON.stringify((await control('GET', KEYS)).body)
  expect(listed).toContain(key.accessKey)
  expect(listed).not.toContain(key.secretKey)
  expect((await control('GET', `${KEYS}/${key.accessKey}`)).body).toMatchObject({
    usage: { minute: 1, month: 1 },
  })
})

test('a sub key may be created before its level is configured', async () => {
  const { get, make, origin, control } = await testServer()
  const level = { kind: 'sub', level: 'gold' }
  const early = await make({ ...level, levelMayBeAbsent: true })
  expect(early.body).toMatchObject({ level: 'gold', limits: { monthlyQuota: 0 } })
  for (const path of ['/hl/tickers', '/coin']) expect((await get(path, early.key)).status).toBe(403)
  const partner = signedQuery({ accessKey: 'demo-partner', secretKey: 'demo-partner-secret' })
  const config = {
    request_limits: { max_time_range: 3_600, max_request: 50, request_rate_limit: 10 },
    permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
  }
  const body = JSON.stringify(config)
  await fetch(`${origin}${PREFIX}/distributor/levels/gold?${partner}`, { method: 'PUT', body })
  expect((await get('/hl/tickers', early.key)).status).toBe(200)
  expect((await control('GET', `${KEYS}/${early.key.accessKey}`)).body).toMatchObject({
    limits: { monthlyQuota: 50, ratePerMinute: 10 },
  })
  expect((await make({ kind: 'direct', levelMayBeAbsent: true })).body.error).toContain(
    'levelMayBeAbsent is for sub keys only',
  )
})

test('a later level gives its sub keys no more than the distributor has', async () => {
  const { origin, make } = await testServer()
  const partner = () => signedQuery({ accessKey: 'demo-partner', secretKey: 'demo-partner-secret' })
  const put = async (maxRequest: number) => {
    const body = JSON.stringify({
      request_limits: { max_time_range: 60, max_request: maxRequest, request_rate_limit: 10 },
      permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
    })
    const url = `${origin}${PREFIX}/distributor/levels/gold?${partner()}`
    const answer = await fetch(url, { method: 'PUT', body })
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
  }
  const quota = async () => {
    const answer = await fetch(`${origin}${PREFIX}/distributor/quota?${partner()}`)
    return ((await answer.json()) as { data: { available_quota: number } }).data.available_quota
  }
  for (let n = 0; n < 2; n++) await make({ kind: 'sub', level: 'gold', levelMayBeAbsent: true })
  const available = await quota()
  expect(await put(available / 2 + 1)).toEqual({
    status: 400,
    body: {
      success: false,
      error:
        `max_request of ${available / 2 + 1} is too much for 2 sub keys of this level: ` +
        `${available} of the distributor's 10000000 are left`,
    },
  })
  expect(await quota()).toBe(available)
  expect((await put(available / 2)).status).toBe(200)
  expect(await quota()).toBe(0)
  expect((await put(available / 2 + 1)).status).toBe(400)
  expect((await put(5)).status).toBe(200)
})

test('a direct key has permissions of its own, or the limits of a plan', async () => {
  const { get, make } = await testServer()
  const few = await make({ kind: 'direct', permissions: ['FULL_DEPTH'] })
  expect((await get('/hl/tickers', few.key)).body.msg).toBe('Permission denied: HL_TICKERS')
  expect((await get('/futures/full-depth', few.key)).body.msg).toContain('dbKey')
  const free = await make({ kind: 'direct', plan: 'free' })
  for (let n = 0; n < 15; n++) expect((await get('/hl/tickers', free.key)).status).toBe(200)
  expect(await get('/hl/tickers', free.key)).toEqual({
    status: 429,
    body: { code: '429', msg: 'too many requests: at most 15 a minute', data: null },
  })
})

test('a direct key without a permission for data opens no data endpoint', async () => {
  const { get, make, control } = await testServer()
  const statuses = async (permissions: string[] | null) => {
    const { key } = await make({ kind: 'direct', permissions })
    const paths = ['/coin', '/hl/tickers', '/futures/full-depth']
    const answers = await Promise.all(paths.map((path) => get(path, key)))
    return { key, statuses: answers.map(({ status }) => status) }
  }
  const none = await statuses([])
  expect(none.statuses).toEqual([403, 403, 403])
  expect((await get('/coin', none.key)).body.msg).toBe('Permission denied: COIN_LIST')
  expect((await statuses(['HL_WS_NODE', 'HL_WS_FILLS'])).statuses).toEqual([403, 403, 403])
  // One permission for data opens the endpoints without one too, as for a sub key.
  expect((await statuses(['FULL_DEPTH'])).statuses).toEqual([200, 403, 400])
  expect((await statuses(null)).statuses).toEqual([200, 200, 400])
  await control('PUT', `${KEYS}/${none.key.accessKey}`, { permissions: ['HL_TICKERS'] })
  expect((await get('/coin', none.key)).status).toBe(200)
  await control('PUT', `${KEYS}/${none.key.accessKey}`, { permissions: [] })
  expect((await get('/coin', none.key)).status).toBe(403)
})

test('invalid options of a key are refused by name, and nothing is created', async () => {
  const { control } = await testServer()
  const before = (await control('GET', KEYS)).body
  const wrong: [object, string][] = [
    [{}, 'kind'],
    [{ kind: 'king' }, 'one of sub, direct, partner'],
    [{ kind: 'sub' }, 'level is missing'],
    [{ kind: 'sub', level: 'gold' }, 'level "gold" does not exist; there are basic, bare'],
    [{ kind: 'sub', level: 'basic', plan: 'free' }, 'plan is not for a sub key'],
    [{ kind: 'sub', level: 'basic', distributor: 'x' }, 'distributor "x" does not exist'],
    [{ kind: 'direct', level: 'basic' }, 'level is for sub keys only'],
    [{ kind: 'direct', permissions: ['HL_ALL'] }, 'permission "HL_ALL" does not exist'],
    [{ kind: 'direct', plan: 'gold' }, 'one of free, basic'],
    [{ kind: 'direct', limits: { monthlyQuota: -1 } }, 'limits'],
    [{ kind: 'direct', colour: 'red' }, 'unknown field "colour"'],
    [
      { kind: 'sub', level: 'basic', limits: { monthlyQuota: 9_000_000 } },
      "a monthly quota of 9000000 is too much: 8800000 of the distributor's 10000000 are left",
    ],
  ]
  for (const [body, words] of wrong) {
    const refused = await control('POST', KEYS, body)
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining(words)])
  }
  expect((await control('GET', KEYS)).body).toEqual(before)
})

test('a distributor has no more sub keys than its token allows', async () => {
  const { control, origin, make } = await testServer()
  const presets = { inviteToken: 'small-token', name: 'Small', maxSubKeys: 1 }
  const invited = await control('POST', '/sandboxes/default/invites', presets)
  expect(invited.body).toMatchObject({ ...presets, usedBy: null, maxTotalQuota: 10_000_000 })
  const taken = await control('POST', '/sandboxes/default/invites', presets)
  expect(taken.body.error).toBe('inviteToken "small-token" is taken already')

  const register = () =>
    fetch(`${origin}${PREFIX}/distributor/register`, {
      method: 'POST',
      body: '{"invite_token":"small-token"}',
    })
  const race = await Promise.all(Array.from({ length: 20 }, register))
  expect(race.filter(({ status }) => status === 200)).toHaveLength(1)
  const won = race.find(({ status }) => status === 200) as Response
  const { data } = (await won.json()) as { data: { access_key: string; secret_key: string } }
  const level = {
    request_limits: { max_time_range: 60, max_request: 10, request_rate_limit: 5 },
    permissions: [{ resource_type: 'perpdex', actions: ['HL_TICKERS'] }],
  }
  const own = { accessKey: data.access_key, secretKey: data.secret_key }
  const put = `${origin}${PREFIX}/distributor/levels/one?${signedQuery(own)}`
  expect((await fetch(put, { method: 'PUT', body: JSON.stringify(level) })).status).toBe(200)
  const options = { kind: 'sub', distributor: data.access_key, level: 'one' }
  expect((await make(options)).status).toBe(200)
  expect((await make(options)).body.error).toBe('there are 1 sub keys already: 1 at most')
})

test('a key is changed, disabled, enabled and deleted', async () => {
  const { control, get, make } = await testServer()
  const { key } = await make({ kind: 'direct', permissions: ['HL_TICKERS'] })
  const at = `${KEYS}/${key.accessKey}`
  const tickers = async () => (await get('/hl/tickers', key)).status
  expect(await tickers()).toBe(200)
  expect((await control('PUT', at, { permissions: ['HL_FILLS'] })).status).toBe(200)
  expect(await tickers()).toBe(403)
  await control('PUT', at, { permissions: null, status: 'disabled' })
  expect(await tickers()).toBe(401)
  await control('PUT', at, { status: 'active' })
  expect(await tickers()).toBe(200)
  expect((await control('DELETE', at)).body).toEqual({ deleted: key.accessKey } as never)
  expect(await tickers()).toBe(401)
  const gone = await control('PUT', at, { status: 'active' })
  expect([gone.status, gone.body.error]).toEqual([404, expect.stringContaining(key.accessKey)])
})

test('sockets of a key that loses the permission are closed at once', async () => {
  const { control, origin, registry } = await testServer()
  const kept = connectSocket(origin, `${PREFIX}/hl/ws?${signedQuery({ accessKey: 'demo' })}`)
  const lost = connectSocket(origin, `${PREFIX}/hl/ws?${signedQuery({ accessKey: 'demo-sub' })}`)
  // The level has no permission for sockets until it is given.
  expect(await lost.opened).toBe(false)
  await control('PUT', `${KEYS}/demo`, { permissions: ['HL_WS_NODE'] })
  expect(await kept.opened).toBe(true)
  await control('PUT', `${KEYS}/demo`, { permissions: ['HL_TICKERS'] })
  expect(await kept.closed).toBe(1000)
  expect(registry.get('default')?.keys.full.accessKey).toBe('demo')
})

test('connections and subscriptions are counted by key', async () => {
  const { origin, make } = await testServer()
  const { key } = await make({
    kind: 'direct',
    limits: { maxConnections: 1, maxSubscriptions: 1 },
  })
  const path = () => `${PREFIX}/hl/ws?${signedQuery(key)}`
  const first = connectSocket(origin, path())
  expect(await first.opened).toBe(true)
  expect(await connectSocket(origin, path()).opened).toBe(false)
  const ask = (type: string) =>
    first.socket.send(JSON.stringify({ method: 'subscribe', subscription: { type, coin: 'BTC' } }))
  ask('bbo')
  ask('l2Book')
  const received = await first.frames(3)
  expect(received.at(-1)).toEqual({
    channel: 'error',
    data: 'Cannot subscribe to more than 1 channels.',
  })
})
