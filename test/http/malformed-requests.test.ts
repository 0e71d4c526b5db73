/** Malformed requests: unusual names, bodies, paths and headers, and too many of them. */
import { expect, spyOn, test } from 'bun:test'
import {
  type MemorySocket,
  memoryTransport,
} from '../../src/server/transport/memory/memory-transport.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { signed } from '../fixtures/fake-market.ts'
import { openConnection } from '../fixtures/raw-connection.ts'
import { exchangeBytes, requestText, statusOf } from '../fixtures/raw-tcp.ts'
import { PREFIX, serve, serveRegistry } from '../fixtures/test-server.ts'

const { origin } = await serve()
const CONTROL = '/_control/sandboxes'

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
  const nested = await exchangeBytes(origin, [
    requestText(`POST ${info}`, {}, '{"__proto__":{"type":"meta"}}'),
  ])
  expect(statusOf(nested)).toBe(400)
})

/** Sends a body of undeclared length; null when the connection was closed on it. */
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

test('a body is counted in bytes, with or without a declared length', async () => {
  const path = `${PREFIX}/hl/info?${signed()}`
  const wide = '\u20ac'.repeat(400_000)
  const answer = await fetch(`${origin}${path}`, { method: 'POST', body: wide })
  expect([answer.status, ((await answer.json()) as { msg: string }).msg]).toEqual([
    413,
    'request body is larger than 1048576 bytes: 1200000',
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

test('a larger body is refused in JSON, and no more of it is read', async () => {
  const lengths = ['2000000', '5000000000', '9007199254740991']
  for (const [path, words, before] of [
    [
      `${PREFIX}/hl/info?${signed()}`,
      '"code":"413","msg":"request body is larger than 1048576 bytes',
      ': ',
    ],
    [CONTROL, 'a body has at most 1048576 bytes', ', this one '],
  ] as const) {
    for (const length of lengths) {
      const answer = await exchangeBytes(origin, [
        requestText(`POST ${path}`, { 'Content-Length': length }),
      ])
      expect([length, statusOf(answer), answer]).toEqual([
        length,
        413,
        expect.stringContaining(words + before + length),
      ])
    }
    const connection = await openConnection(origin)
    const twice = 'Content-Length: 3000000\r\nContent-Length: 3000000'
    connection.send(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${twice}\r\n\r\n`)
    connection.send('x'.repeat(3_000_000))
    await connection.received(words)
    // The rest was ignored: the connection continues.
    connection.send(requestText(`GET ${CONTROL}/default`, { Connection: 'close' }))
    expect(await connection.closed).toContain('"id":"default"')
  }
})

test('nesting as deep as a body allows is refused like any other invalid body', async () => {
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

test('unusual paths do not exist, and lead to no file', async () => {
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

test('headers and paths that are too long are refused, random bytes are no request', async () => {
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

/** A sandbox of the raw profile, without a network. */
const raw = memoryTransport((await recordedRegistry({ profile: 'raw' })).registry)
const answerTo = (body: string) => {
  const { status, contentType, body: answer } = raw.request('POST', '/info', body)
  return [status, contentType.split(';')[0], answer]
}
const errorOn = (frame: string) => {
  const socket = raw.connect('/ws') as MemorySocket
  socket.send(frame)
  return JSON.parse(socket.frames.at(-1) ?? '').data
}
const UNREADABLE = 'Failed to deserialize the JSON body into the target type'
const UNPARSED = 'Error parsing JSON into valid websocket request'

test('a name that comes twice is refused by the venue, over both ways', () => {
  const twice = [
    '{"type":"l2Book","coin":"BTC","coin":"ETH"}',
    '{"type":"l2Book","coin":"BTC","\\u0074ype":"meta"}',
    '{"type":"candleSnapshot","req":{"coin":"BTC","interval":"1h","startTime":1,"startTime":2}}',
  ]
  for (const body of twice) {
    expect(answerTo(body)).toEqual([422, 'text/plain', UNREADABLE])
    const post = `{"method":"post","id":1,"request":{"type":"info","payload":${body}}}`
    for (const frame of [post, `{"method":"subscribe","subscription":${body}}`])
      expect(errorOn(frame)).toContain(UNPARSED)
  }
  const apart = '{"type":"l2Book","coin":"BTC","more":[{"a":1},{"a":"a:{"}],"and":{"coin":1}}'
  expect(answerTo(apart)[0]).toBe(200)
})

test('what is no Unicode text is no JSON to the venue, over both ways', () => {
  const coin = (text: string) => `{"type":"l2Book","coin":"${text}"}`
  const decoded = new TextDecoder().decode(new Uint8Array([0xff]))
  for (const half of [coin('\\ud800'), coin('\\uDE00\\uD83D'), coin(decoded), `{"\\ud800":1}`])
    expect(answerTo(half)).toEqual([400, 'text/plain', 'Failed to parse the request body as JSON'])
  expect(errorOn(`{"method":"subscribe","subscription":${coin('\\ud800')}}`)).toContain(UNPARSED)
  for (const whole of [coin('\\ud83d\\ude00'), coin('\\\\ud800'), coin('\ud83d\ude00')])
    expect(answerTo(whole)).toEqual([200, 'application/json', 'null'])
})

test('a byte order mark is no JSON to the venue, over HTTP as well', async () => {
  const body = '\ufeff{"type":"meta"}'
  const refused = 'Failed to parse the request body as JSON'
  expect(answerTo(body)).toEqual([400, 'text/plain', refused])
  const { registry } = await recordedRegistry({ profile: 'raw' })
  const { origin: venue } = await serveRegistry(registry)
  for (const sent of [body, `${body}${' '.repeat(300_000)}`]) {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`${venue}/info`, { method: 'POST', headers, body: sent })
    expect([answer.status, await answer.text()]).toEqual([400, refused])
  }
})

test('text beyond the bounds of requests is refused before its numbers and names are read', () => {
  const text = (length: number) => `"${'\\"'.repeat(length)}`
  const searches = (['replaceAll', 'matchAll'] as const).map((name) =>
    spyOn(String.prototype, name),
  )
  expect(answerTo(text(300_000))).toEqual([422, 'text/plain', UNREADABLE])
  expect(errorOn(text(200_000))).toContain(UNPARSED)
  // Each takes time by the square of such a text.
  const searched = searches.flatMap(({ mock }) => mock.contexts as unknown as string[])
  for (const search of searches) search.mockRestore()
  expect(searched.filter(({ length }) => length > 100_000)).toEqual([])
})
