/** Decisions before a body is read: hosts, methods, tokens and upgrades. */
import { expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { deferred } from '../../src/platform/deferred.ts'
import { parseScenario } from '../../src/sandbox/scenario/scenario-parser.ts'
import { controlRoutes } from '../../src/server/control/index.ts'
import { listen, server } from '../../src/server/transport/elysia/server.ts'
import { fakeRegistry, signed } from '../fixtures/fake-market.ts'
import { openConnection } from '../fixtures/raw-connection.ts'
import { upgradeText } from '../fixtures/raw-socket.ts'
import { exchangeBytes, requestText, statusOf } from '../fixtures/raw-tcp.ts'
import { PREFIX, serve, serveRegistry } from '../fixtures/test-server.ts'

const page = { status: 200, contentType: 'text/html', body: '<!doctype html>' }
const pages = new Map([['/page', () => page]])
const { origin, registry } = await serveRegistry(await fakeRegistry({ epoch: 'tape' }), null, pages)
const CONTROL = '/_control/sandboxes'
const TICKERS = `${PREFIX}/hl/tickers`

const ask = (text: string, at = origin) => exchangeBytes(at, [text])
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))

test('two hosts are refused everywhere, in the form of the path', async () => {
  const hosts = ['Host: localhost\r\nHost: localhost', 'Host: localhost\r\nHost: other.example']
  for (const two of [
    ...hosts,
    'Host: a b',
    'Host: a/b',
    'Host: user@a',
    'Host: [',
    'Host: a, b',
    'Host: a%00',
  ]) {
    const contract = await ask(`GET ${TICKERS}?${signed()} HTTP/1.1\r\n${two}\r\n\r\n`)
    expect([two, statusOf(contract)]).toEqual([two, 400])
    expect(bodyOf(contract)).toEqual({
      code: '400',
      msg: expect.stringContaining('send one Host header with one name'),
      data: null,
    })
    const control = await ask(`GET ${CONTROL} HTTP/1.1\r\n${two}\r\n\r\n`)
    expect([two, statusOf(control)]).toEqual([two, 400])
    expect(bodyOf(control).error).toContain('send one Host header')
    const page = await ask(`GET /page HTTP/1.1\r\n${two}\r\n\r\n`)
    expect([two, statusOf(page)]).toEqual([two, 400])
    const socket = upgradeText(`${PREFIX}/hl/ws?${signed()}`).replace(/Host: .*\r\n/, `${two}\r\n`)
    expect([two, statusOf(await ask(socket))]).toEqual([two, 400])
  }
})

test('hosts of every valid form are served, and so is a request without one', async () => {
  const path = () => `GET ${TICKERS}?${signed()}`
  for (const host of ['a', 'a_b.example:80', '[::1]:4010', 'xn--nxasmq6b', 'a:', ''])
    expect([host, statusOf(await ask(`${path()} HTTP/1.1\r\nHost: ${host}\r\n\r\n`))]).toEqual([
      host,
      200,
    ])
  expect(statusOf(await ask(`${path()} HTTP/1.0\r\n\r\n`))).toBe(200)
  expect(statusOf(await ask(`GET ${CONTROL} HTTP/1.0\r\n\r\n`))).toBe(403)
  for (const lines of ['HTTP/1.0', 'HTTP/1.1\r\nHost: ', 'HTTP/1.1\r\nHost: 1.2.3.4.5']) {
    const page = await openConnection(origin)
    page.send(`GET /page ${lines}\r\n\r\n`)
    await page.received('HTTP/1.1 200 OK')
    page.end()
  }
})

test('of a whole URL as the target only the path counts', async () => {
  const whole = (host: string) =>
    `GET http://evil.example${CONTROL} HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  expect(statusOf(await ask(whole('localhost')))).toBe(200)
  expect(statusOf(await ask(whole('evil.example')))).toBe(403)
})

test('an unknown method gets 405 with the allowed ones, as JSON', async () => {
  for (const method of ['TRACE', 'PROPFIND', 'PATCH', 'CONNECT', 'PURGE', 'QUERY']) {
    for (const [path, allow] of [
      [TICKERS, 'GET'],
      [`${PREFIX}/hl/ws`, 'GET'],
      [`${PREFIX}/hl/info`, 'POST'],
      [`${CONTROL}/default`, 'DELETE, GET'],
    ]) {
      const answer = await ask(requestText(`${method} ${path}`))
      expect([method, path, statusOf(answer)]).toEqual([method, path, 405])
      expect(answer).toContain(`allow: ${allow}\r\n`)
      expect(bodyOf(answer).error).toContain(`use ${allow}`)
    }
  }
  expect(statusOf(await ask(requestText(`POST ${PREFIX}/hl/ws`)))).toBe(405)
  const unknown = await ask(requestText('GET /_control/nothing'))
  expect([statusOf(unknown), bodyOf(unknown)]).toEqual([
    404,
    { error: 'unknown path; see /_control/openapi.json' },
  ])
})

test('an invalid upgrade is refused with what it lacks', async () => {
  const path = () => `${PREFIX}/hl/ws?${signed()}`
  for (const headers of [{ 'Sec-WebSocket-Key': undefined }, { 'Sec-WebSocket-Key': 'short' }]) {
    const answer = await ask(upgradeText(path(), headers))
    expect([statusOf(answer), bodyOf(answer).msg]).toEqual([
      400,
      expect.stringContaining('Sec-WebSocket-Key of 16 bytes'),
    ])
  }
  for (const text of [upgradeText(path(), { Upgrade: undefined }), requestText(`GET ${path()}`)]) {
    const answer = await ask(text)
    expect([statusOf(answer), bodyOf(answer).code]).toEqual([426, '426'])
    expect(answer.toLowerCase()).toContain('upgrade: websocket')
  }
  // On a path that is no socket's, an upgrade is ignored, as HTTP allows.
  expect(statusOf(await ask(upgradeText(`${TICKERS}?${signed()}`)))).toBe(200)
  expect(statusOf(await ask(upgradeText('/nothing')))).toBe(404)
  expect(statusOf(await ask(upgradeText(CONTROL)))).toBe(200)
})

test('a wrong token is refused before the body arrives', async () => {
  const { origin: at } = await serve({}, 'a token')
  const headers = { Host: 'box.example', 'Content-Length': String(1 << 20) }
  const right = { Authorization: 'Bearer a token' }
  const connection = await openConnection(at)
  connection.send(requestText(`POST ${CONTROL}`, headers))
  await connection.received('TAPEWRIGHT_CONTROL_TOKEN')
  // Its later part is ignored, and the connection continues.
  connection.send('x'.repeat(1 << 20))
  connection.send(requestText(`GET ${CONTROL}`, { Host: 'box.example', ...right }))
  await connection.received('"id":"default"')
  connection.end()
  for (const Authorization of ['Bearer a tokem', 'a token', 'Basic a token', 'Bearer a token, x'])
    expect(
      statusOf(await ask(requestText(`POST ${CONTROL}`, { ...headers, Authorization }), at)),
    ).toBe(401)
  const foreign = { ...headers, ...right, Origin: 'http://page.example' }
  expect(statusOf(await ask(requestText(`POST ${CONTROL}`, foreign), at))).toBe(403)
})

test('a slow body is cut off, on the control plane as well', async () => {
  const control = controlRoutes(registry, { token: null })
  const app = server({ registry, control, pages: new Map(), idleS: 1 })
  const at = listen(app, { port: 0, host: 'localhost' })
  const trickle = async (path: string) => {
    const connection = await openConnection(at)
    connection.send(requestText(`POST ${path}`, { 'Content-Length': '100000' }))
    let isClosed = false
    void connection.closed.then(() => {
      isClosed = true
    })
    while (!isClosed) {
      connection.send('x')
      await Bun.sleep(20)
    }
    return connection.closed
  }
  const paths = [CONTROL, `${PREFIX}/hl/info?${signed()}`]
  expect(await Promise.all(paths.map(trickle))).toEqual(['', ''])
  // A complete call may wait for longer.
  const waiting = { connections: 1, timeoutMs: 2500 }
  const answer = await fetch(`${at}${CONTROL}/default/await`, {
    method: 'POST',
    body: JSON.stringify(waiting),
  })
  expect(answer.status).toBe(408)
  // After its answer the connection is closed like any other idle one.
  const idle = await openConnection(at)
  idle.send(requestText(`GET ${CONTROL}`))
  expect(await idle.closed).toStartWith('HTTP/1.1 200 ')
  await app.stop(true)
})

test('a response delayed by its turn or a scenario outlives the idle limit', async () => {
  const { registry: own } = await serve({ clock: 'held' })
  const sandbox = own.get('default') as NonNullable<ReturnType<typeof own.get>>
  const app = server({ registry: own, control: [], pages: new Map(), idleS: 1 })
  const rule = { name: 'late', on: { operation: '*' }, do: { delay: { ms: 60_000 } } }
  sandbox.faultInjection.add(parseScenario({ title: 'late answers', rules: [rule] }))
  const at = listen(app, { port: 0, host: 'localhost' })
  const late = await openConnection(at)
  late.send(requestText(`GET ${TICKERS}?${signed()}`))
  const turns = deferred<void>()
  const { run } = own.turns
  own.turns.run = (owner, work) =>
    turns.promise.then(() => run.call(own.turns, owner, work)) as never
  const queued = await openConnection(at)
  queued.send(requestText(`GET ${TICKERS}?${signed()}`))
  const idle = await openConnection(at)
  idle.send(requestText('GET /nothing'))
  await idle.closed
  own.turns.run = run
  turns.resolve()
  for (let round = 0; round < 10; round++) await hostClock.yieldTurn()
  await sandbox.clock.advance(60_000)
  await late.received('"coin":"BTC"')
  await queued.received('"coin":"BTC"')
  await app.stop(true)
})

test('the control plane is found by its path, however short the host name is', async () => {
  for (const host of ['a', 'a.b', 'a:80', '', 'a-longer-name.example']) {
    const open = await ask(`GET /_control/health HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect([host, statusOf(open)]).toEqual([host, 200])
    const guarded = await ask(`GET ${CONTROL} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    expect([host, statusOf(guarded)]).toEqual([host, 403])
  }
})
