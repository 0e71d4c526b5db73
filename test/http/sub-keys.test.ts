/** Sub keys under the contract's own prefix, with an answer to the question `sub-key-paths`. */
import { expect, test } from 'bun:test'
import { SUB_KEY_OPERATIONS } from '../../src/contract/served-operations.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'
const KEYS = '/distributor/sub-keys'

async function requester() {
  const registry = await fakeRegistry({ questions: { 'sub-key-paths': 'mirrored' } })
  const { request } = memoryTransport(registry)
  return (method: string, path: string, body?: unknown, query = '', key = 'demo-partner') => {
    const text = body === undefined ? '' : JSON.stringify(body)
    const answer = request(method, `${PREFIX}${path}?${query}&${signed(key)}`, text)
    return { status: answer.status, body: JSON.parse(answer.body) }
  }
}

test('a sub key is created, shown, changed and deleted', async () => {
  const ask = await requester()
  const created = ask('POST', KEYS, { name: 'ann', level: 'basic', monthly_quota: 5 })
  expect(created).toMatchObject({
    status: 200,
    body: { success: true, message: 'sub key created' },
  })
  const { secret_key, ...shown } = created.body.data
  expect(secret_key).toMatch(/^[0-9a-f]{40}$/)
  expect(shown).toMatchObject({ name: 'ann', level: 'basic', monthly_quota: 5, used_quota: 0 })
  const at = `${KEYS}/${shown.access_key}`
  expect(ask('GET', at).body.data).toEqual(shown)
  expect(ask('PUT', at, { status: 'disabled' }).body.data.status).toBe('disabled')
  expect(ask('DELETE', at).body).toEqual({ success: true, message: 'sub key deleted' })
  expect(ask('GET', at)).toEqual({
    status: 404,
    body: { success: false, error: `sub key ${shown.access_key} does not exist` },
  })
})

test('the list has pages and no secrets', async () => {
  const ask = await requester()
  for (let n = 0; n < 5; n++) ask('POST', KEYS, { name: `n${n}`, level: 'bare', monthly_quota: 1 })
  const names = (query: string) =>
    ask('GET', KEYS, undefined, query).body.data.map((key: { name: string }) => key.name)
  expect(names('page_size=3')).toEqual(['customer', 'customer without rights', 'n0'])
  expect(names('page=2&page_size=3')).toEqual(['n1', 'n2', 'n3'])
  expect(names('page=9')).toEqual([])
  expect(JSON.stringify(ask('GET', KEYS).body)).not.toContain('secret')
})

test('a request above the maximum is refused and changes nothing', async () => {
  const ask = await requester()
  const quota = () => ask('GET', '/distributor/quota').body.data.allocated_quota
  const before = quota()
  const invalid = [
    { name: 'much', level: 'basic', monthly_quota: 8_800_001 },
    { name: 'none', level: 'gold' },
  ]
  for (const options of invalid) {
    const refused = ask('POST', KEYS, options)
    expect([refused.status, refused.body.success]).toEqual([400, false])
  }
  expect(ask('PUT', `${KEYS}/demo-sub`, { monthly_quota: 9_800_001 }).status).toBe(400)
  expect(quota()).toBe(before)
})

test('only the distributor itself sees its sub keys', async () => {
  const ask = await requester()
  for (const { method, path } of SUB_KEY_OPERATIONS) {
    const at = path.replace(':access_key', 'demo-bare')
    expect(ask(method, at, {}, '', 'demo-sub').status).toBe(403)
  }
  expect(ask('GET', `${KEYS}/demo`).status).toBe(404)
})
