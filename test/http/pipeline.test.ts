import { expect, test } from 'bun:test'
import { credentials } from '../../src/contract/signature.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { ADDRESS, fakeRegistry, signed } from '../fixtures/fake-market.ts'

const PREFIX = '/api/upgrade/v2'

async function requester(options = {}) {
  const registry = await fakeRegistry(options)
  const { request } = memoryTransport(registry)
  const get = (pathAndQuery: string) => {
    const { status, body } = request('GET', pathAndQuery)
    return { status, body: JSON.parse(body) }
  }
  return { registry, request, get }
}

const invalid = { code: '401', msg: 'Invalid signature', data: null }

test('a signed request is answered in its envelope', async () => {
  const { get } = await requester()
  expect(get(`${PREFIX}/hl/tickers?${signed()}`)).toEqual({
    status: 200,
    body: { code: '0', msg: 'success', data: [{ coin: 'BTC', price: '101' }] },
  })
})

test('a timestamp in milliseconds is premature, not a crash', async () => {
  const { get } = await requester()
  expect(get(`${PREFIX}/hl/tickers?${signed('demo', -1e12)}`).status).toBe(401)
  for (const timestamp of ['', 'now', '1e9', '-1', '9'.repeat(40)]) {
    const parts = credentials({
      accessKey: 'demo',
      secretKey: 'demo-secret',
      nonce: 'n',
      timestampS: 0,
    })
    const query = new URLSearchParams({ ...parts, Timestamp: timestamp })
    expect(get(`${PREFIX}/hl/tickers?${query}`).status).toBe(401)
  }
})

test('the signature is checked before the parameters, and both before the answer', async () => {
  const { get } = await requester()
  expect(get(`${PREFIX}/coin/ticker`).body).toEqual(invalid)
  expect(get(`${PREFIX}/coin/ticker?${signed()}`)).toEqual({
    status: 400,
    body: { code: '400', msg: 'missing required parameter: coin_list', data: null },
  })
})

test('a key without the permission gets its name', async () => {
  const { get } = await requester()
  const refused = (name: string) => ({
    status: 403,
    body: { code: '403', msg: `Permission denied: ${name}`, data: null },
  })
  expect(get(`${PREFIX}/hl/tickers?${signed('demo-bare')}`)).toEqual(refused('HL_TICKERS'))
  expect(get(`${PREFIX}/hl/tickers?${signed('demo-sub')}`).status).toBe(200)
  expect(get(`${PREFIX}/futures/full-depth?dbKey=x&${signed('demo-sub')}`)).toEqual(
    refused('FULL_DEPTH'),
  )
})

test('limits: default, maximum, above it, and invalid', async () => {
  const { get } = await requester()
  const rows = (limit: string) => {
    const { status, body } = get(`${PREFIX}/hl/fills/${ADDRESS}?${limit}${signed()}`)
    return status === 200 ? body.data.length : [status, body.msg]
  }
  expect(rows('')).toBe(1000)
  expect(rows('limit=&')).toBe(1000)
  expect(rows('limit=2000&')).toBe(2000)
  expect(rows('limit=2001&')).toBe(2000)
  expect(rows('limit=99999999999999999999&')).toBe(2000)
  const words = 'invalid parameter: limit must be a whole number, 1 or more'
  for (const wrong of ['0', '-5', 'ten', '1.5', '1e3'])
    expect(rows(`limit=${wrong}&`)).toEqual([400, words])
})

test('an invalid address is refused by name', async () => {
  const { get } = await requester()
  expect(get(`${PREFIX}/hl/fills/0x12?${signed()}`)).toMatchObject({
    status: 400,
    body: { msg: 'invalid parameter: address must be an address: 0x and 40 hexadecimal digits' },
  })
})

test('the signature may be in a POST body, and is no parameter', async () => {
  const { request } = await requester()
  const parts = Object.fromEntries(new URLSearchParams(signed()))
  const body = JSON.stringify({ addresses: [ADDRESS], ...parts })
  const answer = request('POST', `${PREFIX}/hl/traders/clearinghouse-state`, body)
  expect([answer.status, answer.body]).toEqual([200, '{"code":"0","msg":"success","data":[]}'])
  const inGet = request('GET', `${PREFIX}/hl/tickers`, JSON.stringify(parts))
  expect(inGet.status).toBe(401)
})

test('invalid bodies', async () => {
  const { request } = await requester()
  const message = (body: string) => {
    const answer = request('POST', `${PREFIX}/hl/traders/clearinghouse-state?${signed()}`, body)
    return [answer.status, JSON.parse(answer.body).msg]
  }
  expect(message('')).toEqual([400, 'missing required parameter: addresses'])
  expect(message('{')).toEqual([400, 'invalid request body: expected a JSON object'])
  expect(message('[]')).toEqual([400, 'invalid request body: expected a JSON object'])
  expect(message('{}')).toEqual([400, 'missing required parameter: addresses'])
  expect(message('{"addresses":"[]"}')[1]).toStartWith(
    'invalid parameter: addresses must be an array',
  )
  expect(message(`{"addresses":["${ADDRESS}",7]}`)[1]).toStartWith('invalid parameter: addresses.1')
  expect(message(`{"addresses":["${ADDRESS}"],"dex":7}`)[1]).toStartWith('invalid parameter: dex')
})

test('unknown paths and wrong methods', async () => {
  const { request } = await requester()
  expect(request('GET', `${PREFIX}/nothing`)).toMatchObject({
    status: 404,
    body: '{"success":false,"errorCode":404,"error":"Not Found","data":null}',
  })
  const wrong = request('POST', `${PREFIX}/hl/tickers`)
  expect([wrong.status, wrong.headers?.allow]).toEqual([405, 'GET'])
  expect(request('GET', '/s/unknown/api/upgrade/v2/hl/tickers').status).toBe(404)
})

test('older prefixes lead to the same operations', async () => {
  const { get } = await requester()
  for (const prefix of ['/api/v2', '/v2', '/s/default/api/v2'])
    expect(get(`${prefix}/hl/tickers?${signed()}`).status).toBe(200)
})

test('a key finds its sandbox; under another base it is unknown', async () => {
  const { registry, get } = await requester()
  const other = await registry.create({ name: 'other' })
  const { accessKey, secretKey } = other.keys.full
  const query = () => signed(accessKey, 0, secretKey)
  expect(get(`${PREFIX}/hl/tickers?${query()}`).status).toBe(200)
  expect(get(`/s/other${PREFIX}/hl/tickers?${query()}`).status).toBe(200)
  expect(get(`/s/default${PREFIX}/hl/tickers?${query()}`).status).toBe(401)
  expect(get(`/s/other${PREFIX}/hl/tickers?${signed()}`).status).toBe(401)
})

test('a signature ages with the clock of its sandbox only', async () => {
  const { registry, get } = await requester()
  const early = signed()
  expect(get(`${PREFIX}/hl/tickers?${early}`).status).toBe(200)
  await registry.list()[0]?.clock.advance(31_000)
  expect(get(`${PREFIX}/hl/tickers?${early}`).status).toBe(401)
  const running = await registry.create({ clock: 'running' })
  const { accessKey, secretKey } = running.keys.full
  expect(get(`${PREFIX}/hl/tickers?${signed(accessKey, 0, secretKey)}`).status).toBe(200)
})
