import { afterAll, expect, test } from 'bun:test'
import { movedClock } from '../fixtures/moved-clock.ts'
import { openConnection } from '../fixtures/raw-connection.ts'
import { CLOSE, rawService } from '../fixtures/raw-service.ts'
import { SELF_SIGNED } from '../fixtures/self-signed.ts'
import { startedRecorder } from '../fixtures/started-recorder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const stops: (() => unknown)[] = []
afterAll(() => {
  for (const stop of stops) stop()
})

const GET = 'GET /a HTTP/1.1\r\nHost: a\r\n\r\n'

/** The client's bytes from such a service, the recording, and the messages. */
async function behind(name: string, answers: readonly string[], requested = GET) {
  const service = await rawService((_, send) => {
    for (const answer of answers) send(answer)
  })
  stops.push(service.stop)
  const recorder = await startedRecorder({ path: at(name), upstream: service.origin })
  const client = await openConnection(recorder.origin)
  client.send(requested)
  const received = await client.closed
  const exchanges = await recorder.of('exchange')
  return { received, exchanges, said: recorder.said.join('\n').replaceAll(service.origin, 'IT') }
}

const LIES: [name: string, answers: string[], said: string, status: number | null][] = [
  ['no answer', [CLOSE], 'IT closed the connection without an answer', 502],
  ['something else', ['SSH-2.0-x\r\n\r\n'], 'IT answered with something that is no HTTP/1.1', 502],
  ['half a head', ['HTTP/1.1 200 O', CLOSE], 'IT closed the connection without an answer', 502],
  [
    'a head without end',
    ['HTTP/1.1 200 OK\r\n', `a: ${'b'.repeat(70_000)}`],
    'IT sent a head of more than 64 KiB',
    502,
  ],
  [
    'lines that end in LF alone',
    ['HTTP/1.1 200 OK\ncontent-length: 0\n\n'],
    'IT sent a line of a head that ends in LF alone',
    502,
  ],
  [
    'a CR alone in a header',
    ['HTTP/1.1 200 OK\r\na: b\rSet-Cookie: c\r\ncontent-length: 0\r\n\r\n'],
    'IT sent a head with a CR alone in a line',
    502,
  ],
  [
    'a length that is none',
    ['HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n'],
    'IT states "-1" as its length',
    502,
  ],
  [
    'a length that is stated twice',
    ['HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nabc'],
    'IT states "2, 3" as its length',
    502,
  ],
  [
    'less than was stated',
    ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc', CLOSE],
    'IT closed after 3 of the 9 bytes that it had stated',
    null,
  ],
  [
    'more than was stated',
    ['HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabcdef'],
    'IT sent 3 bytes more than its answer has',
    null,
  ],
  [
    'no last chunk',
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n', CLOSE],
    'IT closed before its last chunk',
    null,
  ],
  [
    'no chunks',
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', 'zz\r\n'],
    'IT sent no size of a chunk',
    null,
  ],
  [
    'another version',
    ['\0\0\0\u0004\0\0\0\0\0'],
    'IT speaks HTTP/2 alone: only HTTP/1.1 and WebSocket can be recorded',
    502,
  ],
  [
    'another protocol',
    ['HTTP/1.1 101 On\r\nupgrade: h2c\r\n\r\n'],
    'IT went over to a protocol',
    502,
  ],
]

for (const [name, answers, message, status] of LIES)
  test(`a service that gives ${name} is reported in a clear line`, async () => {
    const { received, exchanges, said } = await behind(name, answers)
    expect(said).toContain(message)
    expect(said.split('\n')).toHaveLength(1)
    if (status !== null) {
      expect(received).toStartWith(`HTTP/1.1 ${status} `)
      expect(exchanges).toMatchObject([
        { status, error: expect.stringContaining(message.slice(3)) },
      ])
    }
    if (name === 'less than was stated') {
      expect(received).toEndWith('\r\n\r\nabc')
      expect(exchanges).toMatchObject([
        { status: 200, responseBody: 'abc', error: expect.any(String) },
      ])
    }
    if (name === 'more than was stated') {
      expect(received).toEndWith('\r\n\r\nabc')
      expect(exchanges[0]?.error).toBeUndefined()
    }
  })

test('a missing service is a 502, also for a HEAD request', async () => {
  const service = await rawService(() => {})
  service.stop()
  const recorder = await startedRecorder({ path: at('absent'), upstream: service.origin })
  const response = await fetch(`${recorder.origin}/a`)
  expect(response.status).toBe(502)
  expect(await response.text()).toBe(
    `tapewright record: ${service.origin} cannot be reached: Failed to connect\n`,
  )
  expect((await fetch(`${recorder.origin}/a`, { method: 'HEAD' })).status).toBe(502)
  expect(await recorder.of('exchange')).toMatchObject([{ status: 502 }, { status: 502 }])
  expect(recorder.said).toHaveLength(1)
})

test('a service with an untrusted certificate is a 502 with the reason', async () => {
  const service = Bun.serve({ port: 0, tls: SELF_SIGNED, fetch: () => new Response('secret') })
  stops.push(() => service.stop(true))
  const upstream = `https://localhost:${service.port}`
  const recorder = await startedRecorder({ path: at('certificate'), upstream })
  const response = await fetch(`${recorder.origin}/a`)
  expect([response.status, await response.text()]).toEqual([
    502,
    `tapewright record: ${upstream} cannot be reached: self signed certificate\n`,
  ])
  await recorder.stop()
})

test('a hanging service is a 504, however long the client would wait', async () => {
  const requested = Promise.withResolvers<void>()
  const service = await rawService(() => requested.resolve())
  stops.push(service.stop)
  const clock = movedClock()
  const recorder = await startedRecorder({
    path: at('hangs'),
    upstream: service.origin,
    clock: clock.systemClock,
  })
  const answer = fetch(`${recorder.origin}/a`)
  await requested.promise
  await clock.advance(5000)
  expect((await answer).status).toBe(504)
  expect(await recorder.of('exchange')).toMatchObject([
    { status: 504, error: `${service.origin} did not answer within 5 s` },
  ])
})

test('a client that sends other bytes gets an error', async () => {
  const { received, exchanges } = await behind('client', [], 'hello there\r\n\r\n')
  expect(received).toStartWith('HTTP/1.1 400 ')
  expect(exchanges).toEqual([])
  const preface = await behind('preface', [], 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  expect(preface.received).toContain('the client begins with HTTP/2: have it speak HTTP/1.1')
  const proxied = await behind('proxy', [], 'GET http://x/ HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(proxied.received).toContain('a recorder is no general proxy')
})

test('a client without a complete head gets an error, and is not awaited', async () => {
  const service = await rawService((_, send) => {
    send('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na')
  })
  stops.push(service.stop)
  const clock = movedClock()
  const recorder = await startedRecorder({
    path: at('slow-heads'),
    upstream: service.origin,
    clock: clock.systemClock,
  })
  const [silent, slow, kept] = await Promise.all(
    [1, 2, 3].map(() => openConnection(recorder.origin)),
  )
  slow?.send('GET /a HTTP/1.1\r\nHost: a\r\nX: ')
  kept?.send(GET)
  await kept?.received('\r\n\r\na')
  await clock.advance(20_000)
  slow?.send('still coming')
  kept?.send(GET.slice(0, 10))
  // Its beginning has been read when a later request on another connection is answered.
  const other = await openConnection(recorder.origin)
  other.send(GET)
  await other.received('\r\n\r\na')
  await clock.advance(10_000)
  for (const late of [silent, slow]) expect(await late?.closed).toStartWith('HTTP/1.1 408 ')
  kept?.send(GET.slice(10))
  await kept?.received('\r\n\r\naHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na')
  expect(await recorder.of('exchange')).toHaveLength(3)
  expect(recorder.said).toContain('the client sent no whole head within 30 s')
})

test('an offer of HTTP/2 is not forwarded, and the request is answered', async () => {
  const service = await rawService((_, send) => {
    send('HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n')
    send(CLOSE)
  })
  stops.push(service.stop)
  const recorder = await startedRecorder({ path: at('h2c'), upstream: service.origin })
  const client = await openConnection(recorder.origin)
  const offer =
    'Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAM\r\n'
  client.send(GET.replace('\r\n\r\n', `\r\n${offer}\r\n`))
  expect(await client.closed).toStartWith('HTTP/1.1 204 ')
  const host = service.origin.replace('http://', '')
  expect(service.received.join('')).toBe(
    `GET /a HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  )
})

test("a client's early close is recorded", async () => {
  const requested = Promise.withResolvers<void>()
  const service = await rawService((_, send) => {
    send('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')
    requested.resolve()
  })
  stops.push(service.stop)
  const recorder = await startedRecorder({ path: at('left'), upstream: service.origin })
  const client = await openConnection(recorder.origin)
  client.send(GET)
  await client.received('abc')
  client.reset()
  await client.closed
  expect(await recorder.of('exchange')).toMatchObject([
    { status: 200, responseBody: 'abc', error: expect.stringContaining('whole') },
  ])
})

test.each([
  ['lines that end in LF alone', 'GET /a HTTP/1.1\nHost: a\n\n', 'ends in LF alone'],
  ['a CR alone in a header', 'GET /a HTTP/1.1\r\nHost: a\rX: b\r\n\r\n', 'with a CR alone'],
])('a client that sends %s is refused at once', async (name, requested, said) => {
  const { received } = await behind(`client ${name}`, ['HTTP/1.1 200 OK\r\n\r\n', CLOSE], requested)
  expect(received).toStartWith('HTTP/1.1 400')
  expect(received).toContain(said)
})
