/** What a stranger may try: pages elsewhere, odd bytes, names that lead out, too much. */
import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { SignatureRefusalLog } from '../../src/sandbox/signature-refusal-log.ts'
import { server } from '../../src/transport/elysia/server.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { exchangeBytes, requestText, statusOf } from '../fixtures/raw-tcp.ts'
import { connectSocket, PREFIX, serve, serveRegistry } from '../fixtures/test-server.ts'

const { origin, control } = await serve()
const CONTROL = '/_control/sandboxes'

test('a page elsewhere cannot drive the control plane', async () => {
  const from = (Origin: string, Host = new URL(origin).host) =>
    exchangeBytes(origin, [requestText(`GET ${CONTROL}`, { Host, Origin })])
  expect(statusOf(await from('http://evil.example'))).toBe(403)
  expect(statusOf(await from(origin))).toBe(200)
  // Its own name, led here by its own DNS: origin and host agree, and both are wrong.
  const rebound = await from('http://evil.example:4010', 'evil.example:4010')
  expect(statusOf(rebound)).toBe(403)
  expect(rebound).toContain('127.0.0.1')
  for (const Host of ['', 'a b', '[', '127.0.0.1.evil.example', 'localhost:x'])
    expect([400, 403]).toContain(
      statusOf(await exchangeBytes(origin, [requestText(`GET ${CONTROL}`, { Host })])),
    )
  for (const Host of ['127.0.0.1', '[::1]', '127.0.0.9:4010'])
    expect(statusOf(await exchangeBytes(origin, [requestText(`GET ${CONTROL}`, { Host })]))).toBe(
      200,
    )
})

test('the contract is open to pages of any origin, the control plane is not', async () => {
  const ask = (path: string, method = 'OPTIONS') =>
    exchangeBytes(origin, [requestText(`${method} ${path}`, { Origin: 'http://page.example' })])
  const open = await ask(`${PREFIX}/hl/tickers`)
  expect(statusOf(open)).toBe(204)
  expect(open.toLowerCase()).toContain('access-control-allow-origin: *')
  for (const method of ['OPTIONS', 'GET', 'POST']) {
    const closed = await ask(CONTROL, method)
    expect(statusOf(closed)).toBeGreaterThanOrEqual(400)
    expect(closed.toLowerCase()).not.toContain('access-control-allow-methods')
  }
  const own = await exchangeBytes(origin, [requestText(`GET ${CONTROL}`)])
  expect(own.toLowerCase()).not.toContain('access-control-allow-origin')
  expect(own.toLowerCase()).toContain('x-content-type-options: nosniff')
})

test('a token opens the control plane from anywhere, and nothing else does', async () => {
  const { origin: at } = await serve({}, 'a token')
  const ask = (headers: Record<string, string>) =>
    exchangeBytes(at, [requestText(`GET ${CONTROL}`, { Host: 'box.example', ...headers })])
  expect(statusOf(await ask({}))).toBe(401)
  expect(statusOf(await ask({ Authorization: 'Bearer a tokem' }))).toBe(401)
  expect(statusOf(await ask({ Authorization: 'Bearer a token' }))).toBe(200)
})

test('no name of a tape leads out of the recordings', async () => {
  const { registry } = await recordedRegistry()
  const { control: real } = await serveRegistry(registry)
  const names = ['../../etc/passwd', '/etc/passwd', '..', '', '.', 'default\u0000', '../default']
  for (const tape of names) {
    const { status, body } = await real('POST', '/sandboxes', { tape })
    expect([status, body.error]).toEqual([400, expect.stringContaining('there is no tape')])
    expect(body.error).not.toMatch(/root:|\/work|\/home/)
  }
  const [file = ''] = readdirSync('recordings').filter((one) => one.includes('.tape.'))
  expect((await real('POST', '/sandboxes', { tape: file })).status).toBe(200)
})

test('names of JavaScript’s own objects are names like any other', async () => {
  for (const body of ['{"__proto__":{"seed":1}}', '{"constructor":1}', '{"toString":1}']) {
    const answer = await exchangeBytes(origin, [requestText(`POST ${CONTROL}`, {}, body)])
    expect(statusOf(answer)).toBe(400)
    expect(answer).toMatch(/unknown field \\"(__proto__|constructor|toString)\\"/)
  }
  const query = await exchangeBytes(origin, [
    requestText(`GET ${CONTROL}/default/journal?__proto__=1`),
  ])
  expect(query).toContain('unknown query parameter')
  expect(statusOf(await exchangeBytes(origin, [requestText(`GET ${CONTROL}/__proto__`)]))).toBe(404)
  expect(({} as { seed?: number }).seed).toBeUndefined()
  const info = `${PREFIX}/hl/info?${signed()}`
  const odd = await exchangeBytes(origin, [
    requestText(`POST ${info}`, {}, '{"__proto__":{"type":"meta"}}'),
  ])
  expect(statusOf(odd)).toBe(400)
})

/** Sends a body whose length is not said before; null when the connection was closed on it. */
async function unmeasured(url: string, chunks: number): Promise<number | null> {
  let left = chunks
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(65_536))
      else controller.close()
    },
  })
  try {
    return (await fetch(url, { method: 'POST', body })).status
  } catch {
    return null
  }
}

test('a body is counted in bytes, whether it says its length or not', async () => {
  const path = `${PREFIX}/hl/info?${signed()}`
  const wide = '\u20ac'.repeat(400_000)
  const said = await fetch(`${origin}${path}`, { method: 'POST', body: wide })
  expect([said.status, ((await said.json()) as { msg: string }).msg]).toEqual([
    413,
    'request body is larger than 1048576 bytes',
  ])
  for (const chunks of [20, 100]) {
    const status = await unmeasured(`${origin}${path}`, chunks)
    expect(status === null || status === 413).toBe(true)
  }
  const own = await fetch(`${origin}${CONTROL}`, { method: 'POST', body: 'x'.repeat(2 << 20) })
  expect([own.status, ((await own.json()) as { error: string }).error]).toEqual([
    413,
    expect.stringContaining('1048576'),
  ])
})

test('nesting as deep as a body can hold is refused like any other nonsense', async () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const depth = 1_000_000 / (open.length + close.length + 1)
    const body = `${open.repeat(depth)}1${close.repeat(depth)}`
    for (const path of [`${PREFIX}/hl/info?${signed()}`, CONTROL]) {
      const { status } = await fetch(`${origin}${path}`, { method: 'POST', body })
      expect(status).toBe(400)
    }
  }
})

test('odd paths are paths that do not exist, and lead to no file', async () => {
  const paths = ['/%2e%2e/%2e%2e/etc/passwd', '/swagger/..%2f..%2fpackage.json', '/%00', '/%zz']
  for (const path of [...paths, '//', '/s/%2e%2e/api', '/swagger/../../package.json']) {
    const answer = await exchangeBytes(origin, [requestText(`GET ${path}`)])
    expect([path, statusOf(answer)]).toEqual([path, 404])
    expect(answer).not.toMatch(/"dependencies"|root:/)
  }
  const coin = await exchangeBytes(origin, [
    requestText(`GET ${PREFIX}/hl/tickers/coin/%zz%00?${signed()}`),
  ])
  expect([200, 400, 404]).toContain(statusOf(coin))
})

test('headers and addresses that are too long are refused, and junk is no request', async () => {
  const long = await exchangeBytes(origin, [
    requestText(`GET ${PREFIX}/hl/tickers?x=${'a'.repeat(100_000)}`),
  ])
  expect(statusOf(long)).toBe(431)
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`X-${n}`, '1']))
  expect(
    statusOf(await exchangeBytes(origin, [requestText(`GET ${PREFIX}/hl/tickers`, many)])),
  ).toBe(431)
  expect(statusOf(await exchangeBytes(origin, ['\u0001\u0002\r\n\r\n']))).toBe(400)
  const two = { 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }
  expect(statusOf(await exchangeBytes(origin, [requestText(`POST ${PREFIX}/hl/info`, two)]))).toBe(
    400,
  )
})

test('two requests in one packet get two answers', async () => {
  const one = requestText(`GET ${CONTROL}/default`)
  const answers = await exchangeBytes(origin, [one + one], 2)
  expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(2)
})

test('no more sockets are let in than the server is told to hold', async () => {
  const registry = (await serve()).registry
  const app = server({ registry, control: [], pages: new Map(), maxSockets: 2 }).listen(0)
  const at = `http://localhost:${app.server?.port}`
  const path = () => `${PREFIX}/hl/ws?${signed()}`
  const [first, second] = [connectSocket(at, path()), connectSocket(at, path())]
  expect([await first.opened, await second.opened]).toEqual([true, true])
  const upgrade = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  const third = await exchangeBytes(at, [requestText(`GET ${path()}`, upgrade)])
  expect(statusOf(third)).toBe(503)
  expect(third).toContain('at most 2 sockets')
  first.socket.close()
  await first.closed
  expect(await connectSocket(at, path()).opened).toBe(true)
  await app.stop(true)
})

test('what a stranger calls himself does not make lines of the log', async () => {
  const lines: string[] = []
  const { registry, origin: at } = await serve()
  Object.assign(registry, {
    log: new SignatureRefusalLog((line) => lines.push(line), registry.systemClock),
  })
  const query = new URLSearchParams({ AccessKeyId: 'x\ntapewright: all is well' })
  await fetch(`${at}${PREFIX}/hl/tickers?${query}&${signed().replace(/AccessKeyId=[^&]*&/, '')}`)
  expect(lines).toHaveLength(1)
  expect(lines[0]).not.toContain('\n')
})

test('secrets are in no answer but that which makes them', async () => {
  const made = await control('POST', '/sandboxes', { name: 'secret' })
  const { secretKey: secret } = made.body.keys.full
  for (const path of ['/sandboxes', '/sandboxes/secret', '/sandboxes/secret/keys']) {
    const { body } = await control('GET', path)
    expect(JSON.stringify(body)).not.toContain(secret)
  }
})
