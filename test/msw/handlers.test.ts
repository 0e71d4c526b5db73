/** Addresses handled by the handlers, and their responses to unusable requests. */
import { expect, test } from 'bun:test'
import * as msw from 'msw'
import { getResponse, HttpHandler } from 'msw'
import { checkMsw } from '../../src/server/transport/msw/backend.ts'
import { handlers } from '../../src/server/transport/msw/index.ts'
import { registryBackend } from '../../src/server/transport/msw/registry-backend.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { PREFIX } from '../fixtures/test-server.ts'

/** The handlers' response in process; undefined for passed requests. */
async function answerer(origin: string | string[]) {
  const list = handlers(registryBackend(await fakeRegistry()), { origin })
  const http = list.filter((one) => one instanceof HttpHandler)
  return async (url: string) => (await getResponse(http, new Request(url)))?.status
}

test('the base URL may have a path, a port and a slash at its end', async () => {
  for (const origin of [
    'https://a.example.com',
    'http://a.example.com:8080/base/',
    'wss://a.b/c',
  ]) {
    const status = await answerer(origin)
    const base = origin.replace('wss', 'https').replace(/\/$/, '')
    expect(await status(`${base}${PREFIX}/hl/tickers?${signed()}`)).toBe(200)
    expect(await status(`${base}/api/v2/hl/tickers?${signed()}`)).toBe(200)
    expect(await status(`${base}/v2/none`)).toBe(404)
  }
})

test('requests outside of the contract are left to other handlers', async () => {
  const status = await answerer('https://api.example.com/base')
  for (const url of [
    'https://api.example.com/base/login',
    `https://api.example.com${PREFIX}/hl/tickers`,
    `https://api.example.com/base${PREFIX}er/hl/tickers`,
    `https://other.example.com/base${PREFIX}/hl/tickers`,
    `http://api.example.com/base${PREFIX}/hl/tickers`,
    `https://apixexample.com/base${PREFIX}/hl/tickers`,
  ])
    expect([url, await status(url)]).toEqual([url, undefined])
})

test('several base URLs, of HTTP and of sockets, are all answered', async () => {
  const status = await answerer(['https://api.example.com', 'wss://stream.example.com'])
  expect(await status(`https://api.example.com${PREFIX}/hl/tickers?${signed()}`)).toBe(200)
  expect(await status(`https://stream.example.com${PREFIX}/hl/tickers?${signed()}`)).toBe(200)
})

test('without an origin requests to the sandbox itself pass', async () => {
  const baseUrl = 'http://127.0.0.1:4010/s/mine'
  const http = handlers({ baseUrl }).filter((one) => one instanceof HttpHandler)
  for (const path of [`/s/mine${PREFIX}/hl/tickers`, '/_control/sandboxes']) {
    const answer = await getResponse(http, new Request(`http://127.0.0.1:4010${path}`))
    expect([path, answer && msw.isPassthroughResponse(answer)]).toEqual([path, true])
  }
})

test('an invalid sandbox, origin or msw is reported', async () => {
  const backend = registryBackend(await fakeRegistry())
  expect(() => handlers(backend)).toThrow('give the base URL to answer')
  expect(() => handlers(backend, { origin: 'api.example.com' })).toThrow(
    'origin is a base URL of the service, such as https://api.example.com, not "api.example.com"',
  )
  expect(() => handlers({} as never)).toThrow('pass a sandbox')
  const { ws, ...first } = msw
  expect(ws).toBeDefined()
  expect(() => checkMsw(first)).toThrow('tapewright/msw needs msw ^2.15.0 || ^3.0.0')
})

test('one sandbox of a registry can be selected whatever the key', async () => {
  const registry = await fakeRegistry()
  const other = await registry.create({ name: 'other' })
  const list = handlers(registryBackend(registry, 'other'), { origin: 'https://api.example.com' })
  const http = list.filter((one) => one instanceof HttpHandler)
  const url = `https://api.example.com${PREFIX}/hl/tickers?${signed()}`
  // The key is the default sandbox's, unknown to this one.
  expect((await getResponse(http, new Request(url)))?.status).toBe(401)
  expect(other.id).toBe('other')
})
