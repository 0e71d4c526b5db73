/** A web page of another origin in a real browser: allowed and forbidden requests. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright'
import { startBrowser } from '../fixtures/browser.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { exchangeBytes, requestText } from '../fixtures/raw-tcp.ts'
import { PREFIX, serveRegistry } from '../fixtures/test-server.ts'

const registry = await fakeRegistry()
const { origin } = await serveRegistry(registry)
/** Foreign pages: one as if on the internet and by TLS, one on this machine. */
const sites = [0, 0].map(() =>
  Bun.serve({
    port: 0,
    fetch: () => new Response('<!doctype html><title>elsewhere</title>', { headers: HTML }),
  }),
)
const HTML = { 'content-type': 'text/html' }
const PUBLIC = `http://elsewhere.example:${sites[0]?.port}`
const LOCAL = `http://localhost:${sites[1]?.port}`
let browser: Browser

beforeAll(async () => {
  browser = await startBrowser([
    '--host-resolver-rules=MAP elsewhere.example 127.0.0.1',
    `--ip-address-space-overrides=127.0.0.1:${sites[0]?.port}=public`,
    `--unsafely-treat-insecure-origin-as-secure=${PUBLIC}`,
  ])
})

afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})

afterAll(async () => {
  await browser.close()
  for (const site of sites) await site.stop(true)
})

/** Result of a page's script; a word where the browser blocks it. */
async function tried(page: string, permissions: string[] = []) {
  const context = await browser.newContext()
  await context.grantPermissions(permissions, { origin: page })
  const tab = await context.newPage()
  await tab.goto(page)
  const urls = {
    read: `${origin}${PREFIX}/hl/tickers?${signed()}`,
    post: `${origin}${PREFIX}/hl/traders/clearinghouse-state?${signed()}`,
    socket: `${origin.replace('http', 'ws')}${PREFIX}/hl/ws?${signed()}`,
    control: `${origin}/_control/sandboxes`,
  }
  return tab.evaluate(async ({ read, post, socket, control }) => {
    const json = { 'content-type': 'application/json' }
    const ask = (url: string, options = {}) =>
      fetch(url, options).then(
        async (answer) => [answer.status, answer.type, (await answer.text()).slice(0, 10)],
        () => 'blocked',
      )
    return {
      read: await ask(read),
      post: await ask(post, { method: 'POST', headers: json, body: '{"addresses":[]}' }),
      socket: await new Promise((resolve) => {
        const opened = new WebSocket(socket)
        opened.onopen = () => opened.send('{"method":"ping"}')
        opened.onmessage = ({ data }) => resolve(data)
        opened.onerror = () => resolve('blocked')
      }),
      control: await ask(control),
      controlPost: await ask(control, { method: 'POST', headers: json, body: '{"name":"evil"}' }),
      // A request without preflight, as from a form.
      blindPost: await ask(control, { method: 'POST', mode: 'no-cors', body: '{"name":"evil"}' }),
    }
  }, urls)
}

const REACHED = {
  read: [200, 'cors', '{"code":"0'],
  post: [200, 'cors', '{"code":"0'],
  socket: '{"channel":"pong"}',
  control: 'blocked',
  controlPost: 'blocked',
  blindPost: [0, 'opaque', ''],
}

test('a page of this machine reaches the contract, and not the control plane', async () => {
  expect(await tried(LOCAL)).toEqual(REACHED)
  expect(registry.list().map(({ id }) => id)).toEqual(['default'])
})

test('a page of the internet does, when its visitor has allowed it', async () => {
  expect(await tried(PUBLIC, ['local-network-access'])).toEqual(REACHED)
  expect(registry.list().map(({ id }) => id)).toEqual(['default'])
})

test('without that the browser keeps it from everything', async () => {
  const all = Object.values(await tried(PUBLIC))
  expect(all).toEqual(all.map(() => 'blocked'))
})

test('browsers that ask for permission to this network have it for the contract only', async () => {
  const ask = (path: string, headers = {}) =>
    exchangeBytes(origin, [requestText(`OPTIONS ${path}`, { Origin: PUBLIC, ...headers })])
  const wanted = { 'Access-Control-Request-Private-Network': 'true' }
  const leave = /access-control-allow-private-network: true/i
  expect(await ask(`${PREFIX}/hl/tickers`, wanted)).toMatch(leave)
  expect(await ask(`${PREFIX}/hl/tickers`)).not.toMatch(leave)
  expect(await ask('/_control/sandboxes', wanted)).not.toMatch(leave)
})
