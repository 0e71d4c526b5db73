/** Registration, levels and quota, over HTTP. */
import { expect, test } from 'bun:test'
import { ACTIONS, ACTIVE_ACTIONS, RESERVED_ACTIONS } from '../../src/contract/actions.ts'
import { CHANNELS, OPERATIONS } from '../../src/contract/catalogue.ts'
import type { Sandbox } from '../../src/sandbox/sandbox.ts'
import { createKey } from '../../src/sandbox/tenancy/key-management.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'
const LEVELS = `${PREFIX}/distributor/levels`

const ENVELOPE_B = ['code', 'msg', 'data']
const limits = { max_time_range: 3600, max_request: 100, request_rate_limit: 10 }
const granting = (...actions: string[]) => ({
  request_limits: limits,
  permissions: [{ resource_type: 'perpdex', actions }],
})

const SOCKET_ACTIONS = [
  ...new Set(CHANNELS.flatMap(({ access }) => ('name' in access ? [access.name] : []))),
]

async function requester() {
  const registry = await fakeRegistry()
  const { request } = memoryTransport(registry)
  const ask = (method: string, path: string, key: string, body?: unknown, secret?: string) => {
    const query = signed(key, 0, secret ?? `${key}-secret`)
    const text = body === undefined ? '' : JSON.stringify(body)
    const answer = request(method, `${path}?${query}`, text)
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  const register = (invite_token: unknown) => {
    const path = `${PREFIX}/distributor/register`
    const answer = request('POST', path, JSON.stringify({ invite_token }))
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
  return { registry, ask, register }
}

test('an invite token makes a distributor once, and shows its secret once', async () => {
  const { ask, register } = await requester()
  const created = register('demo-invite')
  expect(created.status).toBe(200)
  expect(Object.keys(created.body).sort()).toEqual(['data', 'message', 'success'])
  const { access_key, secret_key, ...rest } = created.body.data
  expect(rest).toEqual({ name: 'Invited partner', level: 'trial' })

  const refused = {
    status: 400,
    body: { success: false, error: 'invalid or used invite token' },
  }
  expect(register('demo-invite')).toEqual(refused)
  expect(register('nobody')).toEqual(refused)
  expect(register(undefined)).toMatchObject({ status: 400, body: { code: '400' } })

  const info = ask('GET', `${PREFIX}/distributor/info`, access_key, undefined, secret_key)
  expect(info.body.data).toEqual({
    access_key,
    name: 'Invited partner',
    level: 'trial',
    max_sub_keys: 10,
    sub_key_count: 0,
    max_total_quota: 5_000_000,
  })
  expect(JSON.stringify(info.body)).not.toContain(secret_key)
  expect(ask('GET', LEVELS, access_key, undefined, secret_key).body.data).toEqual([])
})

test('an invite token finds its own sandbox, and is unknown to other sandboxes', async () => {
  const { registry, ask, register } = await requester()
  const other = await registry.create({ name: 'other' })
  const { access_key, secret_key } = register(other.inviteToken).body.data
  expect(other.tenancy.distributors.has(access_key)).toBe(true)
  expect(registry.get('default')?.tenancy.distributors.has(access_key)).toBe(false)
  const info = ask('GET', `${PREFIX}/distributor/info`, access_key, undefined, secret_key)
  expect(info.body.data.access_key).toBe(access_key)
  other.reset()
  expect(register(other.inviteToken).status).toBe(200)
})

test('a level is created, replaced and deleted, with effect on sub keys at once', async () => {
  const { ask } = await requester()
  const tickers = () => ask('GET', `${PREFIX}/hl/tickers`, 'demo-sub').status
  const fills = () => ask('GET', `${PREFIX}/hl/fills/oid/1`, 'demo-sub')
  const level = `${LEVELS}/basic`
  expect(tickers()).toBe(200)

  const saved = ask('PUT', level, 'demo-partner', granting('HL_ORDERS'))
  expect(saved).toEqual({ status: 200, body: { success: true, message: 'level saved' } })
  expect(tickers()).toBe(403)
  expect(fills()).toMatchObject({ status: 403, body: { msg: 'Permission denied: HL_FILLS' } })
  expect(ask('GET', level, 'demo-partner').body.data).toEqual(granting('HL_ORDERS'))

  ask('PUT', level, 'demo-partner', granting('HL_TICKERS'))
  expect(tickers()).toBe(200)
  expect(ask('DELETE', level, 'demo-partner').status).toBe(200)
  expect(tickers()).toBe(403)
  expect(ask('GET', LEVELS, 'demo-partner').body.data).toEqual(['bare'])
})

test('a refused level changes nothing', async () => {
  const { ask } = await requester()
  const level = `${LEVELS}/basic`
  const before = ask('GET', level, 'demo-partner').body
  const wrong: [unknown, string][] = [
    [
      { request_limits: limits, permissions: [{ resource_type: 'futures', actions: [] }] },
      'resource_type must be perpdex',
    ],
    [granting('HL_TICKERS', 'HL_NOTHING'), 'unknown action HL_NOTHING'],
    [{ permissions: [] }, 'missing required parameter: request_limits'],
    [{ request_limits: limits }, 'missing required parameter: permissions'],
    [
      { request_limits: limits, permissions: [{ actions: [] }] },
      'missing required parameter: permissions.0.resource_type',
    ],
    [{ request_limits: { ...limits, max_request: -1 }, permissions: [] }, 'max_request'],
    [{ request_limits: { ...limits, max_request: '5' }, permissions: [] }, 'max_request'],
    [{ request_limits: limits, permissions: 'all' }, 'permissions'],
    [[], 'a JSON object'],
  ]
  for (const [body, words] of wrong) {
    const refused = ask('PUT', level, 'demo-partner', body)
    expect(refused.status).toBe(400)
    expect(refused.body.error ?? refused.body.msg).toContain(words)
    const isMissing = words.startsWith('missing')
    expect(Object.keys(refused.body)).toEqual(isMissing ? ENVELOPE_B : ['success', 'error'])
  }
  expect(ask('GET', level, 'demo-partner').body).toEqual(before)
  expect(ask('PUT', `${LEVELS}/a%20b`, 'demo-partner', granting()).status).toBe(400)
})

test('a level beyond the maximum is refused, and an existing one can be replaced', async () => {
  const { ask } = await requester()
  const put = (name: string) => ask('PUT', `${LEVELS}/${name}`, 'demo-partner', granting())
  for (let made = 2; made < 500; made++) expect(put(`level-${made}`).status).toBe(200)
  const error = 'there are 500 levels, at most 500'
  expect(put('more')).toMatchObject({ status: 400, body: { error } })
  expect(put('basic').status).toBe(200)
})

test('the action map names reserved actions, and the others each open an endpoint', async () => {
  expect(ACTIONS.has('HL_INFO_META')).toBe(true)
  expect(ACTIVE_ACTIONS).not.toContain('HL_INFO_META')
  const { ask } = await requester()
  const saved = ask('PUT', `${LEVELS}/all`, 'demo-partner', granting(...ACTIONS))
  expect(saved.status).toBe(200)
})

test('only a distributor may use its endpoints', async () => {
  const { ask } = await requester()
  for (const key of ['demo-sub', 'demo-bare'])
    expect(ask('GET', `${PREFIX}/distributor/info`, key)).toMatchObject({
      status: 403,
      body: { code: '403', msg: 'Permission denied: DISTRIBUTOR' },
    })
})

test('every distributor key sees itself, and its own levels', async () => {
  const { ask, registry } = await requester()
  const desk = (key: string) => ask('GET', `${PREFIX}/distributor/info`, key).body.data
  expect(desk('demo-partner')).toMatchObject({ access_key: 'demo-partner', sub_key_count: 2 })
  expect(desk('demo')).toMatchObject({
    access_key: 'demo',
    name: 'everything',
    sub_key_count: 0,
  })
  expect(ask('PUT', `${LEVELS}/mine`, 'demo', granting('HL_TICKERS')).status).toBe(200)
  expect(ask('GET', LEVELS, 'demo').body.data).toEqual(['basic', 'bare', 'mine'])
  expect(ask('GET', LEVELS, 'demo-partner').body.data).toEqual(['basic', 'bare'])
  const { tenancy } = registry.list()[0] as Sandbox
  const created = createKey(tenancy, { kind: 'sub', level: 'basic' }, 0)
  expect(created).toMatchObject({ distributor: 'demo-partner' })
})

test('a key whose level grants nothing can call no data endpoint', async () => {
  const { ask } = await requester()
  expect(ask('GET', `${PREFIX}/coin`, 'demo-bare')).toEqual({
    status: 403,
    body: { code: '403', msg: 'Permission denied: COIN_LIST', data: null },
  })
})

test.each([[[...RESERVED_ACTIONS]], ...SOCKET_ACTIONS.map((action) => [[action]])])(
  'a level with only %p opens no data endpoint',
  async (actions) => {
    const { ask } = await requester()
    ask('PUT', `${LEVELS}/basic`, 'demo-partner', granting(...actions))
    for (const { method, path, access } of OPERATIONS) {
      if (access.kind !== 'signed' && access.kind !== 'permission') continue
      const { status } = ask(method, PREFIX + path.replace(/:\w+/g, 'x'), 'demo-sub', {})
      expect([path, status]).toEqual([path, 403])
    }
    ask('PUT', `${LEVELS}/basic`, 'demo-partner', granting(...actions, 'HL_TICKERS'))
    expect(ask('GET', `${PREFIX}/coin`, 'demo-sub').status).toBe(200)
  },
)

test('the quota counts permitted requests of sub keys, by session month', async () => {
  const { registry, ask } = await requester()
  const quota = () => ask('GET', `${PREFIX}/distributor/quota`, 'demo-partner').body.data
  const expected = {
    max_total_quota: 10_000_000,
    allocated_quota: 1_200_000,
    available_quota: 8_800_000,
  }
  expect(quota()).toEqual({ ...expected, used_quota: 0, remaining_quota: 10_000_000 })
  for (const path of ['/hl/tickers', '/hl/fills/0x12', '/hl/open-interest/summary'])
    ask('GET', PREFIX + path, 'demo-sub')
  ask('GET', `${PREFIX}/hl/tickers`, 'demo-bare')
  ask('GET', `${PREFIX}/hl/tickers`, 'demo')
  // The level of the fake market grants tickers only: one call was permitted.
  expect(quota()).toEqual({ ...expected, used_quota: 1, remaining_quota: 9_999_999 })
  await registry.get('default')?.clock.advance(32 * 86_400_000)
  const later = new URLSearchParams(signed('demo-partner', -1))
  const { request } = memoryTransport(registry)
  const next = JSON.parse(request('GET', `${PREFIX}/distributor/quota?${later}`).body).data
  expect(next.used_quota).toBe(0)
})
