/** `tapewright serve` on SIGTERM and SIGINT: pending requests are answered, and all is stored. */
import { beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { openConnection } from '../fixtures/raw-connection.ts'
import { frameBytes, upgradeText } from '../fixtures/raw-socket.ts'
import { requestText } from '../fixtures/raw-tcp.ts'
import { listeningAt, type ServeProcess, serveProcesses } from '../fixtures/serve-process.ts'
import { shortTapeCast } from '../fixtures/short-tape.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { connectSocket, PREFIX } from '../fixtures/test-server.ts'

const file = temporaryFolder()
const tape = file('short.tape.ndjson')
const start = serveProcesses(file('cache'))
beforeAll(() => shortTapeCast(tape, file('cache')))

const ENDING = 'ending; answers in flight have 5 s, another signal ends at once'
const SANDBOX = '/_control/sandboxes/default'
const signed = () => signedQuery({ accessKey: 'demo' }, hostClock)

async function serving(...args: string[]) {
  const child = start(['--tape', tape, ...args])
  return { child, origin: await listeningAt(child) }
}

/** Its exit code and output. */
async function ended(child: ServeProcess) {
  const log = await new Response(child.stderr).text()
  return { code: await child.exited, log: log.trim().split('\n') }
}

/** Waits until the server takes no more connections. */
async function untilClosedTo(origin: string): Promise<void> {
  for (;;)
    try {
      const response = await fetch(`${origin}/nothing`, { headers: { connection: 'close' } })
      await response.arrayBuffer()
    } catch {
      return
    }
}

const control = async (origin: string, method: string, at: string, body?: object) => {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  return (await fetch(`${origin}${at}`, { method, ...sent })).json()
}

test('a signal ends it with code 0, with digests, and the state is one file', async () => {
  const folder = file('state')
  for (const [turn, signal] of (['SIGTERM', 'SIGINT'] as const).entries()) {
    const { child, origin } = await serving('--state', `${folder}.db`, '--digest')
    expect(await control(origin, 'GET', '/_control/sandboxes')).toHaveLength(1 + turn)
    await control(origin, 'POST', '/_control/sandboxes', { name: `made-${turn}` })
    child.kill(signal)
    const { code, log } = await ended(child)
    expect([code, log[0]]).toEqual([0, `tapewright: ${signal}: ${ENDING}`])
    expect(log.filter((line) => /digest of .*: 0+-0+, 0 an/.test(line))).toHaveLength(2 + turn)
    const files = readdirSync(path.dirname(folder)).filter((name) => name.startsWith('state'))
    expect(files).toEqual(['state.db'])
  }
})

test('a half-received request is answered, a further one is refused', async () => {
  const { child, origin } = await serving()
  const [whole, other] = [await openConnection(origin), await openConnection(origin)]
  const watcher = await openConnection(origin)
  const body = '{"type":"meta"}'
  const text = requestText(`POST ${PREFIX}/hl/info?${signed()}`, {}, body)
  whole.send(text.slice(0, -4))
  other.send('GET / HTTP/1.1\r\n')
  watcher.send('GET /_control/health HTTP/1.1\r\n')
  // All have been read when a later one was answered.
  await control(origin, 'GET', SANDBOX)
  child.kill()
  await untilClosedTo(origin)
  other.send('Host: localhost\r\n\r\n')
  expect(await other.closed).toMatch(/^HTTP\/1.1 503 .*the server is ending/s)
  watcher.send('Host: localhost\r\n\r\n')
  expect(await watcher.closed).toContain('{"live":true,"ready":false,"why":"the server is ending"')
  whole.send(text.slice(-4))
  expect(await whole.closed).toMatch(/^HTTP\/1.1 200 .*universe/s)
  expect((await ended(child)).code).toBe(0)
})

test('sockets close with 1001 and a reason, journals and pending calls end', async () => {
  const { child, origin } = await serving()
  const socket = connectSocket(origin, `${PREFIX}/hl/ws?${signed()}`)
  const closing = new Promise<string>((resolve) => {
    socket.socket.addEventListener('close', ({ code, reason }) => resolve(`${code} ${reason}`))
  })
  await socket.opened
  socket.socket.send('{"method":"subscribe","subscription":{"type":"bbo","coin":"BTC"}}')
  await socket.frames(1)
  const headers = { accept: 'text/event-stream' }
  const journal = await fetch(`${origin}${SANDBOX}/journal`, { headers })
  const waiting = await openConnection(origin)
  const wish = JSON.stringify({ connections: 2, timeoutMs: 60_000 })
  waiting.send(requestText(`POST ${SANDBOX}/await`, {}, wish))
  await control(origin, 'GET', SANDBOX)
  child.kill()
  expect(await closing).toBe('1001 the server is ending')
  expect(await journal.text()).toStartWith(': the journal')
  expect(await waiting.closed).toMatch(/^HTTP\/1.1 503 .*"the server is ending"/s)
  expect((await ended(child)).code).toBe(0)
})

test('a response that a scenario delays is sent at once', async () => {
  const { child, origin } = await serving('--clock', 'held')
  const rule = { name: 'late', on: { operation: '*' }, do: { delay: { ms: 3_600_000 } } }
  const body = { title: 'late answers', rules: [rule] }
  expect(await control(origin, 'PUT', `${SANDBOX}/scenario`, body)).not.toHaveProperty('error')
  const late = await openConnection(origin)
  late.send(requestText(`GET ${PREFIX}/hl/tickers?${signed()}`))
  await control(origin, 'GET', SANDBOX)
  child.kill()
  expect(await late.closed).toMatch(/^HTTP\/1.1 200 .*"coin"/s)
  expect((await ended(child)).code).toBe(0)
})

test('a stalled client delays neither a step of the clock nor the end', async () => {
  const { child, origin } = await serving('--clock', 'held', '--speed', '1000', '--end', 'hold')
  const reader = await openConnection(origin)
  reader.send(upgradeText(`${PREFIX}/hl/ws?${signed()}`))
  await reader.received('101 Switching Protocols')
  reader.pause()
  for (const type of ['l2Book', 'trades', 'bbo'])
    reader.send(
      frameBytes(JSON.stringify({ method: 'subscribe', subscription: { type, coin: 'BTC' } })),
    )
  await control(origin, 'POST', `${SANDBOX}/await`, { subscriptions: 3, timeoutMs: 60_000 })
  const { clock } = await sandboxAt(origin)
  const advance = await openConnection(origin)
  advance.send(requestText(`POST ${SANDBOX}/clock/advance`, {}, '{"ms":50000}'))
  while ((await sandboxAt(origin)).clock.now === clock.now);
  child.kill()
  expect(await advance.closed).toMatch(/^HTTP\/1.1 200 .*"fired":/s)
  expect((await ended(child)).code).toBe(0)
})

test('requests that are incomplete at the deadline are cut off, with a message', async () => {
  const { child, origin } = await serving()
  const half = await openConnection(origin)
  const text = requestText(`POST ${PREFIX}/hl/info?${signed()}`, {}, '{"type":"meta"}')
  half.send(text.slice(0, -4))
  await control(origin, 'GET', SANDBOX)
  child.kill()
  expect(await half.closed).toBe('')
  const { code, log } = await ended(child)
  expect([code, ...log]).toEqual([
    0,
    `tapewright: SIGTERM: ${ENDING}`,
    'tapewright: cut off after 5 s: requests not answered 1, sockets not closed 0',
  ])
})

test('a signal that arrives twice is one signal', async () => {
  const { child } = await serving()
  child.kill('SIGTERM')
  child.kill('SIGTERM')
  expect((await ended(child)).code).toBe(0)
})

test('a second signal ends it at once', async () => {
  const { child, origin } = await serving()
  const half = await openConnection(origin)
  const text = requestText(`POST ${PREFIX}/hl/info?${signed()}`, {}, '{"type":"meta"}')
  half.send(text.slice(0, -4))
  await control(origin, 'GET', SANDBOX)
  child.kill('SIGTERM')
  await untilClosedTo(origin)
  child.kill('SIGINT')
  expect([await child.exited, child.signalCode]).toEqual([130, 'SIGINT'])
})

test('a signal while a world is cast for a sandbox ends it as well', async () => {
  const { child, origin } = await serving()
  const making = await openConnection(origin)
  making.send(requestText('POST /_control/sandboxes', {}, '{"seed":4711}'))
  await control(origin, 'GET', SANDBOX)
  child.kill()
  await making.closed
  expect((await ended(child)).code).toBe(0)
})

test('a signal before it listens ends it as well', async () => {
  const cache = file('empty-cache')
  const early = start(['--tape', tape], { TAPEWRIGHT_CACHE: cache })
  for await (const chunk of early.stderr)
    if (new TextDecoder().decode(chunk).includes('casting the world')) break
  early.kill()
  expect(await early.exited).toBe(0)
  const next = start(['--tape', tape], { TAPEWRIGHT_CACHE: cache })
  await listeningAt(next)
})

const sandboxAt = async (origin: string) =>
  (await control(origin, 'GET', SANDBOX)) as { clock: { now: number } }
