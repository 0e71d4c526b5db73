/** The client's calls: every operation, every envelope, every kind of failure. */
import { expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { client } from '../../src/clients/service/client.ts'
import {
  AnswerError,
  ClientError,
  ConnectionError,
  ServiceError,
} from '../../src/clients/service/errors.ts'
import type { ClientSettings } from '../../src/clients/service/settings.ts'
import type { SystemClock } from '../../src/clock/system-clock.ts'
import { filledExample, type TargetInventory } from '../../src/conformance/example-filler.ts'
import { OPERATIONS } from '../../src/contract/catalogue.ts'
import { CONTRACT } from '../../src/contract/operations.ts'
import { memoryTransport } from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { serve } from '../fixtures/test-server.ts'

const KEY = { accessKey: 'demo', secretKey: 'demo-secret' }
const ADDRESS = '0x0000000000000000000000000000000000000001'

/** A client with these responses. */
const answered = (status: number, text: string, headers = {}, key = KEY) =>
  client({
    ...key,
    baseUrl: 'http://there',
    send: async () => new Response(text, { status, headers }),
  })

/** A client of a registry in memory. */
function within(
  registry: Parameters<typeof memoryTransport>[0],
  settings: Partial<ClientSettings> = {},
) {
  const { request } = memoryTransport(registry)
  return client({
    ...KEY,
    systemClock: fixedClock,
    baseUrl: 'http://there',
    send: async (url, { method = 'GET', body }) => {
      const { status, body: text, headers } = request(method, url.slice(12), body as string)
      return new Response(text, { status, headers: headers ?? {} })
    },
    ...settings,
  })
}

const failure = async (call: Promise<unknown>) => {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error('nothing went wrong')
}

test('names in the client are names in the contract', () => {
  for (const [group, operations] of Object.entries(CONTRACT))
    for (const [name, operation] of Object.entries(operations))
      expect(operation.id).toBe(`${group}.${name}`)
})

test('every operation is called by its name and answers out of its envelope', async () => {
  const { registry, cast } = await recordedRegistry()
  const inventory = cast() as unknown as TargetInventory
  const [asUser, asPartner] = [
    within(registry),
    within(registry, { accessKey: 'demo-partner', secretKey: 'demo-partner-secret' }),
  ]
  for (const operation of OPERATIONS) {
    const [group = '', name = ''] = operation.id.split('.')
    const one = operation.access.kind === 'distributor' ? asPartner : asUser
    const call = (one as unknown as Calls)[group]?.[name]
    const { path, query, body } = filledExample(
      operation,
      operation.examples[0] ?? NOTHING,
      inventory,
    )
    const data = await call?.({ path, query, body })
    const isBare = operation.envelope.kind === 'C' && !operation.envelope.data
    const isData = isBare ? data === undefined : Value.Check(operation.data, data)
    expect([operation.id, isData]).toEqual([operation.id, true])
  }
})

type Calls = Record<string, Record<string, (ask: object) => Promise<unknown>>>
const NOTHING = { name: 'nothing' }

test('types know parameters and answers', async () => {
  const { origin } = await serve()
  const service = client({ ...KEY, systemClock: fixedClock, baseUrl: `${origin}/` })
  const fills = await service.perpdex.fillsOfAddress({ path: { address: ADDRESS }, query: {} })
  expect(fills).toHaveLength(1000)
  const few = await service.perpdex.fillsOfAddress({
    path: { address: ADDRESS },
    query: { limit: 3 },
  })
  expect(few).toHaveLength(3)
  const [ticker] = await service.perpdex.tickers()
  expect(ticker?.coin satisfies string | undefined).toBe('BTC')
  // @ts-expect-error an operation with a path asks for it
  const missing = await failure(service.perpdex.fillsOfAddress({}))
  expect(missing).toBeInstanceOf(ClientError)
  expect(String(missing)).toContain('path.address is missing')
})

test('a refusal is a typed error with its kind', async () => {
  const registry = await fakeRegistry()
  const bare = within(registry, { accessKey: 'demo-bare', secretKey: 'demo-bare-secret' })
  expect(await failure(bare.perpdex.tickers())).toMatchObject({
    name: 'ServiceError',
    what: 'perpdex.tickers',
    status: 403,
    kind: 'permission',
    permission: 'HL_TICKERS',
  })
  const wrong = within(registry, { secretKey: 'guessed' })
  const refused = (await failure(wrong.perpdex.tickers())) as ServiceError
  expect([refused.status, refused.code, refused.kind]).toEqual([401, '401', 'signature'])
  const invalid = within(registry).perpdex.fillsOfAddress({ path: { address: 'me' }, query: {} })
  expect(await failure(invalid)).toMatchObject({ status: 400, kind: 'parameter', permission: null })
})

test('a refusal is recognised in every envelope, whatever the status', async () => {
  const kind = async (status: number, body: object, headers = {}) => {
    const error = await failure(answered(status, JSON.stringify(body), headers).coin.list())
    expect(error).toBeInstanceOf(ServiceError)
    return [(error as ServiceError).kind, (error as ServiceError).retryAfterS]
  }
  const limit = { code: '429', msg: 'slow down', data: null }
  expect(await kind(429, limit, { 'retry-after': '7' })).toEqual(['rate', 7])
  expect(await kind(200, limit)).toEqual(['rate', null])
  expect(await kind(403, { code: '403', msg: '请求过于频繁' })).toEqual(['rate', null])
  expect(await kind(200, { success: false, errorCode: 403, error: 'no' })).toEqual([
    'permission',
    null,
  ])
  expect(await kind(404, { success: false, message: 'level x does not exist' })).toEqual([
    'absent',
    null,
  ])
  expect(await kind(200, { success: false, errorCode: 304, error: 'invalid_key' })).toEqual([
    'parameter',
    null,
  ])
})

test('an answer that is not the service’s is reported as such', async () => {
  const errorOf = async (status: number, text: string, headers = {}) => {
    const error = (await failure(answered(status, text, headers).coin.list())) as AnswerError
    expect(error).toBeInstanceOf(AnswerError)
    return [error.status, error.message, error.excerpt]
  }
  const html = `<html>${'x'.repeat(500)}</html>`
  const [status, message, excerpt] = await errorOf(502, html, { 'content-type': 'text/html' })
  expect([status, message]).toEqual([502, 'coin.list: the answer is not JSON (502, text/html)'])
  expect(excerpt).toHaveLength(200)
  expect((await errorOf(200, '{"data":'))[1]).toContain('not JSON')
  expect((await errorOf(200, '[]'))[1]).toContain('no envelope')
  expect((await errorOf(200, '{"data":[]}'))[1]).toContain('no envelope')
})

test('a missing answer is reported without the signature', async () => {
  const unreachable = client({ ...KEY, baseUrl: 'http://127.0.0.1:1' })
  const error = (await failure(unreachable.coin.list())) as ConnectionError
  expect(error).toBeInstanceOf(ConnectionError)
  expect(error.message).toContain('http://127.0.0.1:1 cannot be reached')
  expect(error.message).not.toMatch(/Signature|demo-secret/)
})

test('a call ends at its timeout', async () => {
  const due: (() => void)[] = []
  const systemClock: SystemClock = {
    ...fixedClock,
    startTimer: (_, fire) => {
      due.push(fire)
      return () => {}
    },
  }
  const slow = client({
    ...KEY,
    baseUrl: 'http://there',
    systemClock,
    timeoutMs: 70,
    send: (_, { signal }) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
  const call = failure(slow.coin.list())
  for (const fire of due) fire()
  expect(String(await call)).toContain('coin.list: no answer within 70 ms')
})
